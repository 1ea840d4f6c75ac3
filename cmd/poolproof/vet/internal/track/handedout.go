package track

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// MovedBetween reports whether a place may be written after an instruction and
// before another one.
func (fn *Code) MovedBetween(from, to ssa.Instruction, place memory.Var) bool {
	between := func(instr ssa.Instruction) bool {
		return instr != from && instr != to && (instr.Parent() != fn.F || ssax.MayPrecede(from, instr) && ssax.MayPrecede(instr, to))
	}
	return fn.written(place, between)
}

// written reports whether one of some instructions may write a place.
func (fn *Code) written(place memory.Var, some func(ssa.Instruction) bool) bool {
	return slices.ContainsFunc(fn.Program.StoresTo(fn.F, place), func(s *ssa.Store) bool { return some(s) }) ||
		flow.Any(fn.Program.Calls(fn.F), func(c *flow.Call) bool { return some(c.Instr) && fn.PassedOn(c, place) })
}

// HandedOut is memory that a method has handed out of a field of an object:
// b := resp.Body().
type HandedOut struct {
	Call  *ssa.Call
	Value ssa.Value
	Owner ssa.Value  // the argument whose field it is of
	Place memory.Var // the field
}

// HandedOut returns what calls hand out of a place.
func (fn *Code) HandedOut(place memory.Var) (list []HandedOut) {
	for c := range fn.Program.Calls(fn.F) {
		call, ok := c.Instr.(*ssa.Call)
		if !ok {
			continue
		}
		for _, view := range c.Summary.Views {
			at, ok := c.Place(fn.Program, view.Param, view.Path)
			if v := c.Result(view.Result); ok && at == place && v != nil {
				list = append(list, HandedOut{call, v, c.Args[view.Param], place})
			}
		}
	}
	return list
}
