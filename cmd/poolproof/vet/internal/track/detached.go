package track

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// DetachedBefore returns the fields of the object that are overwritten on every
// path to an instruction by what is not the object's.
func (fn *Code) DetachedBefore(al *alias.Set, at ssa.Instruction) map[int]bool {
	fields := make(map[int]bool)
	for instr := range ssax.Instrs(fn.F) {
		if !ssax.Before(instr, at) {
			continue
		}
		switch instr := instr.(type) {
		case *ssa.Store:
			if info := al.Of(instr.Val); info != nil {
				continue
			}
			switch addr := instr.Addr.(type) {
			case *ssa.FieldAddr:
				if al.IsWhole(addr.X) {
					fields[addr.Field] = true
				}
			default:
				if al.IsWhole(addr) && !ssax.IsAlloc(addr) {
					fields[-1] = true
					if !ssax.IsSlicePointer(addr) {
						fields[Whole] = true
						for i := range 64 {
							fields[i] = true
						}
					}
				}
			}
		case ssa.CallInstruction:
			c := fn.Program.Resolve(instr)
			for i, arg := range c.Args {
				if !al.IsWhole(arg) || c.Deferred() || c.Started() {
					continue
				}
				for f := -1; f < 64; f++ {
					if flow.Detaches(&c, i, f) {
						fields[f] = true
					}
				}
			}
		}
	}
	return fields
}

// Whole is the field of detached that stands for the whole struct.
const Whole = 1 << 16
