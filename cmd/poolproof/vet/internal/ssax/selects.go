package ssax

import (
	"go/token"

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

// SameSelect reports whether a condition asks which case an instruction chose.
func SameSelect(cond ssa.Value, sel ssa.Instruction) bool {
	b, ok := cond.(*ssa.BinOp)
	if !ok {
		return false
	}
	e, ok := b.X.(*ssa.Extract)
	return ok && e.Tuple == sel.(ssa.Value)
}
