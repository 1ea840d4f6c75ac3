package outlive

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// stopsEarly reports whether a function that has given one object to several goroutines listens to
// them in a loop, and leaves it because of what one of them says: the others may go on.
func (v *follow) stopsEarly(heard *ssa.UnOp) bool {
	starts := v.start.Block()
	made, _ := v.root.(ssa.Instruction)
	if !ssax.Reaches(starts, starts) || made != nil && ssax.Reaches(starts, made.Block()) {
		return false // there is one goroutine, or each has an object of its own
	}
	leaves := func(to *ssa.BasicBlock) bool { return !ssax.Reaches(to, heard.Block()) && to != heard.Block() }
	return slices.ContainsFunc(v.fn.F.Blocks, func(b *ssa.BasicBlock) bool {
		cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		return ok && heard.Block().Dominates(b) && isAbout(cond.Cond, heard, 0) && leaves(b.Succs[0]) != leaves(b.Succs[1])
	})
}

// isAbout reports whether a value is computed from what was received, and not only from whether it was.
func isAbout(v ssa.Value, heard *ssa.UnOp, depth int) bool {
	instr, ok := v.(ssa.Instruction)
	if v == heard || !ok || depth > 4 {
		return v == heard
	}
	if e, ok := v.(*ssa.Extract); ok && e.Tuple == heard && e.Index == 1 {
		return false
	}
	return slices.ContainsFunc(instr.Operands(nil), func(x *ssa.Value) bool { return *x != nil && isAbout(*x, heard, depth+1) })
}
