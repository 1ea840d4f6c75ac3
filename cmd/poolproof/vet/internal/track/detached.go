package track

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// DetachedBefore returns the fields of the object that are overwritten on every path to an instruction
// by what is not the object's. For what another instruction has read out of a field, a callee that came
// before that lets go of the field only if it always does, as each user of the object would make memory
// of its own then; read is nil if that is not known.
func (fn *Code) DetachedBefore(al *alias.Set, read, at ssa.Instruction) map[int]bool {
	fields := make(map[int]bool)
	for instr := range ssax.Instrs(fn.F) {
		if _, atEnd := instr.(*ssa.Defer); atEnd || !ssax.Before(instr, at) {
			continue
		}
		first := read != nil && !ssax.MayPrecede(read, instr)
		for _, o := range flow.Overwrites(fn.Program, instr) {
			switch stored := o.Val != nil; {
			case o.Nested, !al.IsWhole(o.Base), stored && (al.Of(o.Val) != nil || ssax.Is[*ssa.Alloc](o.Base)):
			case !stored && first && Sometimes(fn.Program, o.Callee, o.Param, o.Inner, 0):
			case o.Field == summary.All && !ssax.IsSlicePointer(o.Base):
				fields[Whole] = fields[Whole] || stored
				for f := summary.All; f < 64; f++ {
					fields[f] = true
				}
			default:
				fields[o.Field] = true
			}
		}
	}
	return fields
}

// Whole is the field of detached that stands for the whole struct.
const Whole = 1 << 16

// Sometimes reports whether a function overwrites a field of a parameter on some paths only, or on none.
func Sometimes(p *flow.Program, f *ssa.Function, param, field, depth int) bool {
	if f == nil || param >= len(f.Params) || depth > 3 {
		return false
	}
	for instr := range ssax.Instrs(f) {
		overwrites := slices.ContainsFunc(flow.Overwrites(p, instr), func(o flow.Overwrite) bool {
			return o.Base == ssa.Value(f.Params[param]) && o.Covers(field) && !Sometimes(p, o.Callee, o.Param, o.Inner, depth+1)
		})
		if overwrites && ssax.Always(instr) {
			return false
		}
	}
	return true
}
