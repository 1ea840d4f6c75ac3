package ssax

import (
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// Before reports whether an instruction is on every path to another one.
func Before(instr, at ssa.Instruction) bool {
	if instr.Block() == at.Block() {
		return slices.Index(instr.Block().Instrs, instr) < slices.Index(at.Block().Instrs, at)
	}
	return instr.Block().Dominates(at.Block())
}

// Always reports whether an instruction is on every path to a return of its function.
func Always(instr ssa.Instruction) bool {
	return !Any(Returns(instr.Parent()), func(ret *ssa.Return) bool { return !instr.Block().Dominates(ret.Block()) })
}

// MayPrecede reports whether a path leads from an instruction to another one.
func MayPrecede(instr, at ssa.Instruction) bool {
	return instr.Block() == at.Block() && Before(instr, at) || Reaches(instr.Block(), at.Block())
}

// Reaches reports whether a path of at least one edge leads from a block to
// another one.
func Reaches(from, to *ssa.BasicBlock) bool { return Passes(from, to, nil) }

// Passes reports whether a path of at least one edge leads from a block to another one
// that does not go through a third, if there is one.
func Passes(from, to, without *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{without: true}
	stack := slices.Clone(from.Succs)
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[b] {
			continue
		}
		if b == to {
			return true
		}
		seen[b] = true
		stack = append(stack, b.Succs...)
	}
	return false
}

// Reaching returns the blocks from which an instruction of the set is reached, be it by a way
// that does not begin again at an instruction, if that is not nil.
func Reaching[V any](set map[ssa.Instruction]V, begin ssa.Instruction) map[*ssa.BasicBlock]bool {
	reach := make(map[*ssa.BasicBlock]bool)
	var back func(b *ssa.BasicBlock)
	back = func(b *ssa.BasicBlock) {
		if reach[b] {
			return
		}
		reach[b] = true
		if begin != nil && b == begin.Block() {
			return
		}
		for _, p := range b.Preds {
			back(p)
		}
	}
	for instr := range set {
		if begin == nil || instr.Block() != begin.Block() || !Before(instr, begin) {
			back(instr.Block())
			continue
		}
		for _, p := range instr.Block().Preds { // it belongs to the round before
			back(p)
		}
	}
	return reach
}

// Position returns the position of an instruction, or of the nearest one before
// it that has one.
func Position(instr ssa.Instruction) token.Pos {
	if instr.Pos().IsValid() {
		return instr.Pos()
	}
	for op := range Operands(instr) {
		if _, isParam := op.(*ssa.Parameter); !isParam && op.Pos().IsValid() && op.Parent() == instr.Parent() {
			return op.Pos()
		}
	}
	b := instr.Block()
	at := slices.Index(b.Instrs, instr)
	for i := at - 1; i >= 0; i-- {
		if b.Instrs[i].Pos().IsValid() {
			return b.Instrs[i].Pos()
		}
	}
	return instr.Parent().Pos()
}

// Above returns the conditions that stand above a block, the nearest first, each with the block
// below it: the block itself, or one that dominates it.
func Above(b *ssa.BasicBlock) iter.Seq2[*ssa.If, *ssa.BasicBlock] {
	return func(yield func(*ssa.If, *ssa.BasicBlock) bool) {
		for ; b.Idom() != nil; b = b.Idom() {
			d := b.Idom()
			if cond, ok := d.Instrs[len(d.Instrs)-1].(*ssa.If); ok && !yield(cond, b) {
				return
			}
		}
	}
}

// Leads reports which value a condition has wherever a block runs, if it has one: an edge of it
// leads there, and no other way.
func Leads(cond *ssa.If, b *ssa.BasicBlock) (value, known bool) {
	succs := cond.Block().Succs
	for i, succ := range succs {
		if len(succ.Preds) == 1 && succ.Dominates(b) && succs[1-i] != succ {
			return i == 0, true
		}
	}
	return false, false
}

// Edge returns the block that a condition leads to where it has a value, and the other one.
func Edge(cond *ssa.If, value bool) (succ, other *ssa.BasicBlock) {
	succ, other = cond.Block().Succs[0], cond.Block().Succs[1]
	if !value {
		return other, succ
	}
	return succ, other
}

// Operands returns the values that an instruction works on.
func Operands(instr ssa.Instruction) iter.Seq[ssa.Value] {
	return func(yield func(ssa.Value) bool) {
		var operands [8]*ssa.Value
		for _, op := range instr.Operands(operands[:0]) {
			if *op != nil && !yield(*op) {
				return
			}
		}
	}
}

// Computed reports whether a value is of a kind, or is computed from one that is, a few steps deep. Kind
// also says whether to go on with what a value is computed from.
func Computed(v ssa.Value, kind func(ssa.Value) (is, goOn bool)) bool {
	return computed(v, kind, 0)
}

func computed(v ssa.Value, kind func(ssa.Value) (is, goOn bool), depth int) bool {
	is, goOn := kind(v)
	instr, ok := v.(ssa.Instruction)
	if is || !goOn || !ok || depth > 6 {
		return is
	}
	for op := range Operands(instr) {
		if computed(op, kind, depth+1) {
			return true
		}
	}
	return false
}

// Returns returns the returns of a function, without the one after a recovered panic.
func Returns(f *ssa.Function) iter.Seq[*ssa.Return] {
	return func(yield func(*ssa.Return) bool) {
		for _, b := range f.Blocks {
			if ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return); ok && b != f.Recover && !yield(ret) {
				return
			}
		}
	}
}

// Instrs returns the instructions of some functions, block by block.
func Instrs(funcs ...*ssa.Function) iter.Seq[ssa.Instruction] { return Of[ssa.Instruction](funcs...) }

// Of returns the instructions of a kind: Of[*ssa.Store](f) the stores of a function.
func Of[T any](funcs ...*ssa.Function) iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, f := range funcs {
			for _, b := range f.Blocks {
				for _, instr := range b.Instrs {
					if is, ok := instr.(T); ok && !yield(is) {
						return
					}
				}
			}
		}
	}
}

// Any reports whether one of a sequence is of a kind.
func Any[T any](seq iter.Seq[T], is func(T) bool) bool {
	for x := range seq {
		if is(x) {
			return true
		}
	}
	return false
}

// choice returns the select, and the number of its case, that a condition asks for.
func choice(cond ssa.Value) (sel *ssa.Select, i int64) {
	b, ok := cond.(*ssa.BinOp)
	if !ok || b.Op != token.EQL {
		return nil, 0
	}
	e, ok := b.X.(*ssa.Extract)
	c, isConst := b.Y.(*ssa.Const)
	if !ok || e.Index != 0 || !isConst || c.Value == nil {
		return nil, 0
	}
	sel, ok = e.Tuple.(*ssa.Select)
	if !ok {
		return nil, 0
	}
	return sel, c.Int64()
}

// Chosen returns the case of a select that was chosen if a condition is true.
func Chosen(cond ssa.Value) *ssa.SelectState {
	if sel, i := choice(cond); sel != nil && 0 <= i && i < int64(len(sel.States)) {
		return sel.States[i]
	}
	return nil
}

// Choosing returns the select whose case a condition asks for.
func Choosing(cond ssa.Value) ssa.Instruction {
	sel, _ := choice(cond)
	return sel
}

// Receives returns the case of a select by which a value is received, nil if it is received otherwise.
func Receives(v ssa.Value) *ssa.SelectState {
	e, ok := v.(*ssa.Extract)
	if !ok {
		return nil
	}
	sel, ok := e.Tuple.(*ssa.Select)
	if !ok {
		return nil
	}
	n := 2 // the index of the case, and whether a value was sent
	for _, state := range sel.States {
		if state.Dir == types.RecvOnly {
			if n == e.Index {
				return state
			}
			n++
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

// Only reports whether a value is used in some ways alone.
func Only(v ssa.Value, way func(use ssa.Instruction) bool) bool {
	return !slices.ContainsFunc(*v.Referrers(), func(use ssa.Instruction) bool { return !Is[*ssa.DebugRef](use) && !way(use) })
}

// OnlyCompared reports whether a value is used in comparisons alone.
func OnlyCompared(v ssa.Value) bool {
	return Only(v, func(use ssa.Instruction) bool { return Is[*ssa.BinOp](use) })
}

// OnlyCalled reports whether a literal is only called or deferred where it is
// made, or by a variable that is only called itself.
func OnlyCalled(made *ssa.MakeClosure) bool {
	return Only(made, func(use ssa.Instruction) bool {
		switch use := use.(type) {
		case *ssa.Call, *ssa.Defer:
			return calls(use, made)
		case *ssa.Store:
			a, ok := use.Addr.(*ssa.Alloc)
			return ok && Only(a, func(use ssa.Instruction) bool {
				load, ok := use.(*ssa.UnOp)
				return Is[*ssa.Store](use) || ok && Only(load, func(use ssa.Instruction) bool { return calls(use, load) })
			})
		}
		return false
	})
}

// calls reports whether an instruction calls a function value.
func calls(instr ssa.Instruction, f ssa.Value) bool {
	call, ok := instr.(ssa.CallInstruction)
	return ok && call.Common().Value == f
}
