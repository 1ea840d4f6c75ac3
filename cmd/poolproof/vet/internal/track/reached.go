package track

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Happens reports whether a put may be executed and is not one of nil.
func (fn *Code) Happens(p *Put) bool {
	return fn.Paths.Reached(p.Instr().Block()) && !fn.NilAt(p.Instr(), p.Arg)
}

// NilAt reports whether a value, or what the variable at an address holds, is nil wherever an instruction
// is executed.
func (fn *Code) NilAt(at ssa.Instruction, arg ssa.Value) bool {
	if ssax.IsNil(fn.Program.Stored(ssax.Strip(arg))) {
		return true
	}
	isNil, known := ssax.Tested(arg, at.Block(), func(x, arg ssa.Value) bool {
		if variable, ok := arg.(*ssa.Alloc); ok {
			load := ssax.Load(x)
			if load == nil || load.X != arg {
				return false
			}
			stored := fn.Program.Seen(load, variable).Certain()
			return stored != nil && stored == fn.Program.Seen(at, variable).Certain()
		}
		return ssax.Strip(fn.Program.Stored(ssax.Strip(x))) == ssax.Strip(fn.Program.Stored(ssax.Strip(arg)))
	})
	return known && isNil
}
