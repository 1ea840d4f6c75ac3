package outlive

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// stopsEarly reports whether a function that has started several goroutines with one object listens to
// them in a loop, and leaves it because of what one of them says: the others may go on.
func (v *follow) stopsEarly(heard *ssa.UnOp) bool {
	leaves := func(to *ssa.BasicBlock) bool { return !ssax.Reaches(to, heard.Block()) && to != heard.Block() }
	several := ssax.Reaches(v.start.Block(), v.start.Block())
	return several && slices.ContainsFunc(v.fn.F.Blocks, func(b *ssa.BasicBlock) bool {
		cond, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If)
		return ok && heard.Block().Dominates(b) && isAbout(cond.Cond, heard, 0) && leaves(b.Succs[0]) != leaves(b.Succs[1])
	})
}

// isAbout reports whether a value is computed from another one.
func isAbout(v, from ssa.Value, depth int) bool {
	instr, ok := v.(ssa.Instruction)
	if v == from || !ok || depth > 4 {
		return v == from
	}
	return slices.ContainsFunc(instr.Operands(nil), func(x *ssa.Value) bool { return *x != nil && isAbout(*x, from, depth+1) })
}
