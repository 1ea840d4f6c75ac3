package track

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
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
		if !ssax.Before(instr, at) {
			continue
		}
		first := read != nil && !ssax.MayPrecede(read, instr)
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
					if flow.Detaches(&c, i, f) && !(first && sometimes(fn.Program, c.Lit, i, f, 0)) {
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

// sometimes reports whether a function overwrites a field of a parameter on some paths only.
func sometimes(p *flow.Program, f *ssa.Function, param, field, depth int) bool {
	if f == nil || param >= len(f.Params) || depth > 3 {
		return false
	}
	return !slices.ContainsFunc(slices.Collect(ssax.Instrs(f)), func(instr ssa.Instruction) bool {
		for ret := range ssax.Returns(f) {
			if ret.Block() != f.Recover && !ssax.Before(instr, ret) {
				return false
			}
		}
		switch instr := instr.(type) {
		case *ssa.Store:
			base, at, ok := memory.Overwritten(instr.Addr)
			return ok && base == f.Params[param] && (at == field || at == summary.All)
		case *ssa.Call:
			c := p.Resolve(instr)
			i := slices.Index(c.Args, ssa.Value(f.Params[param]))
			return i >= 0 && flow.Detaches(&c, i, field) && !sometimes(p, c.Lit, i, field, depth+1)
		}
		return false
	})
}
