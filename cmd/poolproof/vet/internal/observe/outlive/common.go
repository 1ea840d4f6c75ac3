package outlive

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// common are the values that a goroutine has in common with the function that starts it, but for the
// object. From nothing else the function can learn that the goroutine has ended, unless it calls code
// that is not known.
type common map[ssa.Value]bool

// told is noted on a path on which the function has used what it has in common with the goroutine.
const told = "told"

// commonWith returns what a function has in common with the goroutine that an instruction starts; nil
// if it is no go statement, or if a deferred call, which may run before the put, can wait.
func commonWith(fn *track.Code, p *track.Put, start ssa.Instruction, al *alias.Set) common {
	statement, ok := start.(*ssa.Go)
	if !ok {
		return nil
	}
	shared := make(common)
	c := fn.Program.Resolve(statement)
	for _, v := range c.Args {
		if !al.Has(v) && !isVariable(al, v) {
			shared[v] = true
		}
	}
	for _, d := range fn.Defers {
		if d != p.Call.Instr && shared.in(fn.Program, d) {
			return nil
		}
	}
	return shared
}

// isVariable reports whether v is a variable of which nothing is in common but the object in it.
func isVariable(al *alias.Set, v ssa.Value) bool {
	alloc, ok := v.(*ssa.Alloc)
	return ok && al.Captured(v) && !slices.ContainsFunc(al.Based(alloc), func(place memory.Var) bool { return !place.Variable() })
}

// in reports whether an instruction uses what is in common, or calls code that is not known.
func (c common) in(p *flow.Program, instr ssa.Instruction) bool {
	for op := range ssax.Operands(instr) {
		if c[op] {
			return true
		}
		if made, ok := op.(*ssa.MakeClosure); ok && slices.ContainsFunc(made.Bindings, func(v ssa.Value) bool { return c[v] }) {
			return true
		}
	}
	call, ok := instr.(ssa.CallInstruction)
	if !ok {
		return false
	}
	callee := p.Resolve(call)
	return callee.Builtin == "" && (callee.Invoke || callee.Fn == nil && callee.Lit == nil)
}
