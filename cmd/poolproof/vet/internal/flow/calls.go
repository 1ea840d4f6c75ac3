package flow

import (
	"iter"

	"golang.org/x/tools/go/ssa"
)

// Calls returns the calls of a function, with those that it defers or starts, block by
// block and resolved. The block to which a recovered panic leads is left out: it only
// returns.
func (p *Program) Calls(f *ssa.Function) iter.Seq[Call] {
	return func(yield func(Call) bool) {
		for _, b := range f.Blocks {
			if b == f.Recover {
				continue
			}
			for _, instr := range b.Instrs {
				if call, ok := instr.(ssa.CallInstruction); ok && !yield(p.Resolve(call)) {
					return
				}
			}
		}
	}
}
