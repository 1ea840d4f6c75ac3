package states

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
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
				for _, view := range fn.viewsOf(o, ret) {
					view.Result = r
					list = append(list, view)
				}
			}
		}
	}
	s.SetViews(list)
}

// viewsOf returns the fields that something returned comes from, be it by a callee that has handed it
// out, if it is still the fields' then.
func (fn learner) viewsOf(o flow.Origin, ret *ssa.Return) (list []summary.View) {
	p, v := fn.code.Program, o.Root
	add := func(from ssa.Instruction, place memory.Var, ok bool) {
		i, path, given := p.Given(fn.code.F, place)
		if ok && given && i < 64 && path != "" && !fn.code.MovedBetween(from, ret, place) {
			list = append(list, summary.View{Param: i, Path: path})
		}
	}
	if load := ssax.Load(v); load != nil && fn.code.Fields[ssax.FieldVar(load.X)] {
		place, ok := p.Place(load.X)
		add(load, place, ok)
	}
	if e, ok := v.(*ssa.Extract); ok {
		v = e.Tuple
	}
	if call, ok := v.(*ssa.Call); ok {
		c := p.Resolve(call)
		for _, view := range c.Summary.Views {
			if view.Result == track.ResultIndex(o.Root) {
				place, ok := c.Place(p, view.Param, view.Path)
				add(call, place, ok)
			}
		}
	}
	if o.Holds || len(list) > 0 && fn.takenOut(o) {
		return nil
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
