package track

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
)

// AliasesOf returns the aliases of the object that a value is, nil if they are too many.
func (fn *Code) AliasesOf(root ssa.Value) *alias.Set {
	return fn.aliases.once(root, func() *alias.Set { return fn.Bounded(alias.Of(fn.Program, root)) })
}

// Aliases returns the aliases of the object of a put, and the place that holds
// it, if it is read from one. It is nil if the object is not known well enough to follow.
func (fn *Code) Aliases(p *Put) *alias.Set {
	return fn.aliases.once(p, func() *alias.Set {
		if al := p.aliases(fn); al != nil && walkable(al) {
			return al
		}
		return nil
	})
}

func (p *Put) aliases(fn *Code) *alias.Set {
	if p.Place.Base != nil {
		return fn.fieldAliases(p)
	}
	if p.Captured {
		if _, ok := p.Arg.(*ssa.Alloc); !ok {
			return nil
		}
		if len(p.Roots) > 1 || p.Roots[0] == p.Arg {
			return fn.Bounded(alias.At(fn.Program, fn.F, p.Where())) // one of several objects
		}
		al := alias.Of(fn.Program, p.Roots[0])
		al.AddPlace(p.Where())
		return fn.Bounded(al)
	}
	al := alias.Of(fn.Program, p.Roots...)
	if load := ssax.Load(p.Roots[0]); load != nil {
		if place, ok := fn.Program.Place(load.X); ok {
			al.AddPlace(place)
			fn.addViews(al, place, p)
		}
	}
	return fn.Bounded(al)
}

// fieldAliases returns the aliases of what a callee puts out of a field: what was
// read there before, and what is read there later, if the callee leaves it.
func (fn *Code) fieldAliases(p *Put) *alias.Set {
	var loads []ssa.Value
	for _, load := range fn.Program.FamilyOf(fn.F).Loads[p.Place] {
		if load.Parent() == fn.F && ssax.Before(load, p.Call.Instr) && !fn.movedSince(load, p) {
			loads = append(loads, load)
		}
	}
	al := alias.At(fn.Program, fn.F, p.Place)
	if len(loads) > 0 {
		al = alias.Of(fn.Program, loads...)
		al.AddPlace(p.Place)
	}
	fn.addViews(al, p.Place, p)
	return al
}

// movedSince reports whether a place may have been written between a load of it
// and the call that puts what it holds.
func (fn *Code) movedSince(load *ssa.UnOp, p *Put) bool {
	between := func(instr ssa.Instruction) bool {
		return instr.Parent() != fn.F || instr != p.Call.Instr && !ssax.Before(instr, load) && ssax.MayPrecede(instr, p.Call.Instr)
	}
	return ssax.Reaches(load.Block(), load.Block()) || fn.written(p.Place, between)
}

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

// addViews adds what functions return of the object that a place holds, which p
// puts.
func (fn *Code) addViews(al *alias.Set, place memory.Var, p *Put) {
	for _, out := range fn.HandedOut(place) {
		if call := out.Call; call != p.Instr() {
			earlier := ssax.Before(call, p.Instr()) && !fn.MovedBetween(call, p.Instr(), place) && !ssax.Reaches(call.Block(), call.Block())
			reach := Reach(p, out.Value)
			al.AddView(out.Value, reach, place, earlier)
		}
	}
}

// Reach returns how sure it is that what a method has handed out of the field of a put is
// of the object: as sure as can be where a directive says what becomes of the field.
func Reach(p *Put, handedOut ssa.Value) (r events.Reach) {
	switch {
	case !p.Taken:
		r = events.Field
	case ssax.Pointee(handedOut.Type()) == nil:
		r = events.Memory
	}
	return r
}

// walkable reports whether the object is a value that a walk can follow.
func walkable(al *alias.Set) bool {
	switch al.Root.(type) {
	case *ssa.Const, *ssa.Global, *ssa.Function:
		return false
	}
	return true
}

// Bounded returns aliases if they are all there are. If not, the function is
// given up.
func (fn *Code) Bounded(al *alias.Set) *alias.Set {
	if al.Truncated {
		fn.Walker.GaveUp = true
		return nil
	}
	return al
}

func (known aliases) once(object any, find func() *alias.Set) *alias.Set {
	al, ok := known[object]
	if !ok {
		al = find()
		known[object] = al
	}
	return al
}
