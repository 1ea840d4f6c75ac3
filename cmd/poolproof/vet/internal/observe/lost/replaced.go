package lost

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// replaced finds an object that goes into a field and nowhere else, and is lost
// there: the field is set anew before anybody could have put what it held.
func replaced(fn *scene.Function, w *keeper) (found []scene.Found) {
	start, place := w.onlyStore()
	if start == nil {
		return found
	}
	v := &replacing{of: w, start: start, place: place}
	if !fn.Walker.From(start, v) || v.second == nil {
		return found
	}
	e := fn.Event(events.Exit, v.second)
	e.How = events.Replaced
	return append(found, w.ending(e))
}

// onlyStore returns the store of the object in a field of what others know, if
// that is all that becomes of it.
func (w *keeper) onlyStore() (ssa.Instruction, memory.Var) {
	var only *ssa.Store
	for instr, e := range w.ends {
		store, ok := instr.(*ssa.Store)
		if e != handedOver || !ok || only != nil {
			return nil, memory.Var{}
		}
		only = store
	}
	if only == nil || only.Parent() != w.fn.F || ssax.FieldVar(only.Addr) == nil || !w.al.IsWhole(only.Val) || !w.al.Of(only.Val).Must {
		return nil, memory.Var{}
	}
	place, ok := w.fn.Program.Place(only.Addr)
	if !ok || place.Local() {
		return nil, memory.Var{}
	}
	return only, place
}

// replacing is a visitor that looks for a second store to the field.
type replacing struct {
	paths.Everywhere
	of     *keeper
	start  ssa.Instruction
	place  memory.Var
	second ssa.Instruction
}

// Visit ends a path where somebody may put the object, or looks at the field.
func (v *replacing) Visit(instr ssa.Instruction, _ *paths.State) bool {
	if store, ok := instr.(*ssa.Store); ok {
		place, ok := v.of.fn.Program.Place(store.Addr)
		if !ok || place.Base != v.place.Base {
			return true
		}
		if place == v.place && v.of.al.Of(store.Val) == nil {
			v.second = instr
		}
		return !v.place.Within(place)
	}
	if call, ok := instr.(ssa.CallInstruction); ok {
		c := v.of.fn.Program.Resolve(call)
		return !v.reaches(&c)
	}
	return instr != v.start
}

// reaches reports whether a call gets the struct or the object whole.
func (v *replacing) reaches(c *flow.Call) bool {
	for i, arg := range c.Args {
		if i >= c.Captures {
			return true
		}
		if c.Builtin != "" {
			continue
		}
		if place, ok := v.of.fn.Program.Inside(arg, ""); ok && v.place.Within(place) {
			return true
		}
		if c.Fn == nil || c.Invoke && i > 0 {
			if v.of.whole(arg) {
				return true
			}
		}
	}
	return false
}

// Branch takes all edges on which there is an object.
func (v *replacing) Branch(cond *ssa.If, taken bool, s *paths.State) bool {
	return !v.of.absent(cond.Cond, taken)
}
