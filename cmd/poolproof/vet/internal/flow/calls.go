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

// FamilyCalls returns the calls of a function and of the literals around and in it.
func (p *Program) FamilyCalls(f *ssa.Function) iter.Seq[Call] {
	return func(yield func(Call) bool) {
		for _, f := range p.Family(f) {
			for c := range p.Calls(f) {
				if !yield(c) {
					return
				}
			}
		}
	}
}

// Any reports whether one of some calls is of a kind.
func Any(calls iter.Seq[Call], is func(c *Call) bool) bool {
	for c := range calls {
		if is(&c) {
			return true
		}
	}
	return false
}

// AnyArg reports whether one of some calls has an argument of a kind, or captures a variable of it.
func AnyArg(calls iter.Seq[Call], is func(c *Call, i int, arg ssa.Value) bool) bool {
	for c := range calls {
		for i, arg := range c.Args {
			if is(&c, i, arg) {
				return true
			}
		}
	}
	return false
}
