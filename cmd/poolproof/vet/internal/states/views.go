package states

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// learnViews learns which results are, or are memory of, what fields of parameters
// hold: b := c.Bytes(), where a field of c is a pooled buffer.
func (fn learner) learnViews(s *summary.Summary) {
	var list []summary.View
	for ret := range ssax.Returns(fn.code.F) {
		for r, v := range ret.Results {
			if r >= 64 || !ssax.HasPointers(v.Type()) || ssax.IsError(v.Type()) || s.Getter.Has(r) {
				continue
			}
			for _, o := range fn.code.Program.OriginsIn(fn.code.F, v) {
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
	if load == nil || o.Holds || !fn.code.Fields[ssax.FieldVar(load.X)] {
		return summary.View{}, false
	}
	place, ok := fn.code.Program.Place(load.X)
	if !ok {
		return summary.View{}, false
	}
	i, path, ok := fn.code.Program.Given(fn.code.F, place)
	if !ok || i >= 64 || path == "" || fn.code.MovedBetween(load, ret, place) || fn.takenOut(o) {
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
	c := fn.code.Program.Resolve(call)
	for _, view := range c.Summary.Views {
		place, ok := c.Place(fn.code.Program, view.Param, view.Path)
		if !ok || view.Result != r || fn.code.MovedBetween(call, ret, place) {
			continue
		}
		if i, path, ok := fn.code.Program.Given(fn.code.F, place); ok && i < 64 && path != "" {
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
	key := fn.code.Program.KeyOf(o.Root).Text
	is := func(v ssa.Value) bool { return fn.code.Program.KeyOf(v).Text == key }
	return ssax.Any(ssax.Instrs(fn.code.F), func(instr ssa.Instruction) bool {
		return slices.ContainsFunc(flow.Overwrites(fn.code.Program, instr), func(set flow.Overwrite) bool { return !set.Nested && set.Covers(o.Field) && is(set.Base) })
	})
}
