package track

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Happens reports whether a put may be executed and is not one of nil.
func (fn *Code) Happens(p *Put) bool {
	at := p.Instr()
	if !fn.Walker.Reached(at.Block()) || ssax.IsNil(fn.Program.Stored(ssax.Strip(p.Arg))) {
		return false
	}
	isNil, known := ssax.Tested(p.Arg, at.Block(), func(x, arg ssa.Value) bool {
		if variable, ok := arg.(*ssa.Alloc); ok && p.Captured {
			load := ssax.Load(x)
			if load == nil || load.X != arg {
				return false
			}
			stored := fn.Program.Seen(load, variable).Certain()
			return stored != nil && stored == fn.Program.Seen(at, variable).Certain()
		}
		return ssax.Strip(fn.Program.Stored(ssax.Strip(x))) == ssax.Strip(fn.Program.Stored(ssax.Strip(arg)))
	})
	return !known || !isNil
}
