package scene

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/channels"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/names"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// handOvers collects the sends to receivers that put what they get, and the goroutines that put
// what they are given: from there on the object is theirs, if they do not wait for anything.
func (fn *Function) handOvers() {
	for instr := range ssax.Instrs(fn.F) {
		for s := range ssax.Sends(instr) {
			for _, path := range fn.Chans.Given(channels.Key(fn.Program, s.Chan)) {
				if root := sent(fn.Code, s.Value, path); root != nil {
					fn.Handed = append(fn.Handed, track.Put{At: instr, Arg: root, Certain: true, Roots: []ssa.Value{root}, Chosen: s.State})
				}
			}
		}
	}
	for _, p := range fn.Puts {
		if p.Certain && p.Call.Started() && p.Call.Lit != nil {
			p.At, p.Waits = p.Call.Instr, blocks(fn.Code, p.Call.Lit, 0)
			p.Roots = fn.PutRoots(&p)
			fn.Handed = append(fn.Handed, p)
		}
	}
}

// sent returns the object at a path from what is sent, nil if it is not known.
func sent(fn *track.Code, v ssa.Value, path string) ssa.Value {
	if path == "" {
		return fn.Program.Origin(v)
	}
	if load := ssax.Load(v); load != nil {
		v = load.X
	}
	alloc, ok := v.(*ssa.Alloc)
	if !ok {
		return nil
	}
	var found ssa.Value
	for _, s := range fn.Program.Stores(alloc).Part {
		if place, ok := fn.Program.Place(s.Addr); ok && place == (memory.Var{Base: alloc, Path: path}) {
			if found != nil {
				return nil
			}
			found = fn.Program.Origin(s.Val)
		}
	}
	return found
}

// blocks reports whether a function may wait for somebody: until then what it will
// put is only lent to it.
func blocks(fn *track.Code, f *ssa.Function, depth int) bool {
	if depth > 3 {
		return true
	}
	for instr := range ssax.Instrs(f) {
		switch instr := instr.(type) {
		case *ssa.UnOp:
			if instr.Op.String() == "<-" {
				return true
			}
		case *ssa.Select, *ssa.Send:
			return true
		case *ssa.Go:
		case ssa.CallInstruction:
			c := fn.Program.Resolve(instr)
			switch {
			case c.Builtin != "":
			case c.Lit != nil:
				if c.Lit != f && blocks(fn, c.Lit, depth+1) {
					return true
				}
			case c.Fn == nil || c.Invoke || names.IsJoin(c.Name()) || names.IsSleep(c.Name()):
				return true
			}
		}
	}
	return false
}
