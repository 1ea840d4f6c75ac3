package observe

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// lingering returns the alias that a call passes to a callee which starts a
// goroutine with it and does not wait for that, nil if there is none.
func (fn *Code) lingering(al *alias.Set, instr ssa.Instruction) (summary.Lingering, ssa.Value) {
	call, ok := instr.(*ssa.Call)
	if !ok {
		return summary.Lingering{}, nil
	}
	c := fn.Program.Resolve(call)
	if len(c.Summary.Lingers) == 0 {
		return summary.Lingering{}, nil
	}
	for i, arg := range c.Args {
		info := al.Of(arg)
		if info == nil || info.Holder || info.Args || i >= c.Captures || c.Summary.Borrows.Has(i) {
			continue
		}
		if i == 0 && method(&c) {
			continue // what has goroutines of its own knows when they end
		}
		if g, ok := c.Summary.Lingering(i); ok {
			return g, arg
		}
	}
	return summary.Lingering{}, nil
}

// startsElsewhere reports whether it is a callee that has started the goroutine:
// somebody may have waited for it in a way that is not seen from here.
func (fn *Code) startsElsewhere(instr ssa.Instruction, al *alias.Set) bool {
	_, v := fn.lingering(al, instr)
	return v != nil
}

// fromStart walks from an instruction that lets an object out. If that is a call
// with a result that tells whether it did, only the paths on which it did count.
func (fn *Code) fromStart(instr ssa.Instruction, al *alias.Set, v paths.Visitor) {
	g, passed := fn.lingering(al, instr)
	if passed == nil || g.Result < 0 {
		fn.walker.From(instr, v)
		return
	}
	c := fn.Program.Resolve(instr.(*ssa.Call))
	if told := c.Result(g.Result); told != nil {
		fn.walker.Told(instr, told, g.Value, v)
		return
	}
	fn.walker.From(instr, v)
}
