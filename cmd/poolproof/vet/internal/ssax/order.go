package ssax

import (
	"go/token"
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
// that does not begin again at a block, if that is not nil.
func Reaching(set map[ssa.Instruction]bool, begin *ssa.BasicBlock) map[*ssa.BasicBlock]bool {
	reach := make(map[*ssa.BasicBlock]bool)
	var back func(b *ssa.BasicBlock)
	back = func(b *ssa.BasicBlock) {
		if reach[b] {
			return
		}
		reach[b] = true
		if b == begin {
			return
		}
		for _, p := range b.Preds {
			back(p)
		}
	}
	for instr := range set {
		back(instr.Block())
	}
	return reach
}

// Position returns the position of an instruction, or of the nearest one before
// it that has one.
func Position(instr ssa.Instruction) token.Pos {
	if instr.Pos().IsValid() {
		return instr.Pos()
	}
	var operands [8]*ssa.Value
	for _, op := range instr.Operands(operands[:0]) {
		if *op != nil && (*op).Pos().IsValid() && (*op).Parent() == instr.Parent() {
			if _, isParam := (*op).(*ssa.Parameter); !isParam {
				return (*op).Pos()
			}
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

// Instrs returns the instructions of a function, block by block.
func Instrs(f *ssa.Function) iter.Seq[ssa.Instruction] {
	return func(yield func(ssa.Instruction) bool) {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				if !yield(instr) {
					return
				}
			}
		}
	}
}
