package track

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// Reached reports whether an instruction may be executed: a path leads there whose conditions do not
// contradict each other.
func (fn *Code) Reached(at ssa.Instruction) bool {
	if fn.reached == nil {
		fn.reached = make(map[*ssa.BasicBlock]bool)
		w := paths.Walker{Program: fn.Program, Budget: fn.Budget}
		w.Entry(fn.F, paths.Instrs{Each: func(instr ssa.Instruction) bool {
			fn.reached[instr.Block()] = true
			return true
		}})
		for _, b := range fn.F.Blocks {
			fn.reached[b] = fn.reached[b] || w.GaveUp
		}
	}
	return fn.reached[at.Block()]
}

// Happens reports whether a put may be executed and is not one of nil.
func (fn *Code) Happens(p *Put) bool {
	at := p.Instr()
	if !fn.Reached(at) || ssax.IsNil(fn.Program.Stored(ssax.Strip(p.Arg))) {
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
