package observe

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// learnViews learns which results are, or are memory of, what fields of parameters
// hold: b := c.Bytes(), where a field of c is a pooled buffer.
func (fn learner) learnViews(s *summary.Summary) {
	var list []summary.View
	for _, b := range fn.f.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || b == fn.f.Recover {
			continue
		}
		for r, v := range ret.Results {
			if r >= 64 || !ssax.HasPointers(v.Type()) || ssax.IsError(v.Type()) || s.Getter.Has(r) {
				continue
			}
			for _, o := range fn.Program.OriginsIn(fn.f, v) {
				if view, ok := fn.viewOf(o, ret); ok {
					view.Result = r
					list = append(list, view)
				}
				for _, view := range fn.viewsOfCall(o, ret) {
					view.Result = r
					list = append(list, view)
				}
			}
		}
	}
	s.SetViews(list)
}

// viewOf returns the field that something returned comes from, if it is still the
// field's then.
func (fn learner) viewOf(o flow.Origin, ret *ssa.Return) (summary.View, bool) {
	load := ssax.Load(o.Root)
	if load == nil || o.Holds || !fn.fields[ssax.FieldVar(load.X)] {
		return summary.View{}, false
	}
	place, ok := fn.Program.Place(load.X)
	if !ok {
		return summary.View{}, false
	}
	i, path, ok := fn.Program.Given(fn.f, place)
	if !ok || i >= 64 || path == "" || fn.movedBetween(load, ret, place) || fn.takenOut(o) {
		return summary.View{}, false
	}
	return summary.View{Param: i, Path: path}, true
}

// viewsOfCall returns the fields that something returned comes from which a callee has
// handed out.
func (fn learner) viewsOfCall(o flow.Origin, ret *ssa.Return) (list []summary.View) {
	r := 0
	v := o.Root
	if e, ok := v.(*ssa.Extract); ok {
		v, r = e.Tuple, e.Index
	}
	call, ok := v.(*ssa.Call)
	if !ok || o.Holds || fn.takenOut(o) {
		return nil
	}
	c := fn.Program.Resolve(call)
	for _, view := range c.Summary.Views {
		if view.Result != r || view.Param >= c.Captures || view.Param >= len(c.Args) {
			continue
		}
		place, ok := fn.Program.Inside(c.Args[view.Param], view.Path)
		if !ok || fn.movedBetween(call, ret, place) {
			continue
		}
		if i, path, ok := fn.Program.Given(fn.f, place); ok && i < 64 && path != "" {
			list = append(list, summary.View{Param: i, Path: path})
		}
	}
	return list
}

// takenOut reports whether the function sets the field out of which it returns memory:
// old := b.data; b.data = p; return old. It is the caller's then.
func (fn learner) takenOut(o flow.Origin) bool {
	if o.Field == flow.None {
		return false
	}
	key := fn.Program.KeyOf(o.Root).Text
	is := func(v ssa.Value) bool { return fn.Program.KeyOf(v).Text == key }
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.Store:
				if at, ok := instr.Addr.(*ssa.FieldAddr); ok && at.Field == o.Field && is(at.X) || is(instr.Addr) {
					return true
				}
			case ssa.CallInstruction:
				c := fn.Program.Resolve(instr)
				for i, arg := range c.Args {
					if is(arg) && i < c.Captures && detaches(&c, i, o.Field) {
						return true
					}
				}
			}
		}
	}
	return false
}

// movedBetween reports whether a place may be written after an instruction and
// before another one.
func (fn *Code) movedBetween(from, to ssa.Instruction, place memory.Var) bool {
	between := func(instr ssa.Instruction) bool {
		return instr != from && instr != to && (instr.Parent() != fn.f || ssax.MayPrecede(from, instr) && ssax.MayPrecede(instr, to))
	}
	for _, s := range fn.Program.StoresTo(fn.f, place) {
		if between(s) {
			return true
		}
	}
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && between(instr) && fn.passedOn(call, place) {
				return true
			}
		}
	}
	return false
}

// addViews adds what functions return of the object that a place holds, which p
// puts.
func (fn *Code) addViews(al *alias.Set, place memory.Var, p *put) {
	for _, out := range fn.handedOut(place) {
		if call := out.call; call != p.instr() {
			earlier := ssax.Before(call, p.instr()) && !fn.movedBetween(call, p.instr(), place) && !ssax.Reaches(call.Block(), call.Block())
			al.AddView(out.value, place, earlier)
		}
	}
}
