package ssax

import (
	"go/token"
	"iter"

	"golang.org/x/tools/go/ssa"
)

// Chosen returns the case of a select that was chosen if a condition is true.
func Chosen(cond ssa.Value) *ssa.SelectState {
	b, ok := cond.(*ssa.BinOp)
	if !ok || b.Op != token.EQL {
		return nil
	}
	e, ok := b.X.(*ssa.Extract)
	if !ok || e.Index != 0 {
		return nil
	}
	sel, ok := e.Tuple.(*ssa.Select)
	c, isConst := b.Y.(*ssa.Const)
	if !ok || !isConst || c.Value == nil {
		return nil
	}
	if i := int(c.Int64()); i >= 0 && i < len(sel.States) {
		return sel.States[i]
	}
	return nil
}

// Choosing returns the select whose case a condition asks for.
func Choosing(cond ssa.Value) ssa.Instruction {
	if b, ok := cond.(*ssa.BinOp); ok {
		if e, ok := b.X.(*ssa.Extract); ok {
			sel, _ := e.Tuple.(*ssa.Select)
			return sel
		}
	}
	return nil
}

// Sent is a value that an instruction sends, or may send, to a channel.
type Sent struct {
	Value, Chan ssa.Value
	State       *ssa.SelectState // the case of a select, nil of any other send
}

// Sends returns what an instruction sends: one value, or one in each case of a select.
func Sends(instr ssa.Instruction) iter.Seq[Sent] {
	return func(yield func(Sent) bool) {
		switch instr := instr.(type) {
		case *ssa.Send:
			yield(Sent{Value: instr.X, Chan: instr.Chan})
		case *ssa.Select:
			for _, s := range instr.States {
				if s.Send != nil && !yield(Sent{s.Send, s.Chan, s}) {
					return
				}
			}
		}
	}
}
