package states

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/infer"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Learn learns what each function does with the objects that fields hold, and adds to the
// summaries what that says of results. It comes after all else that is learned. Budget is
// in steps, for each function.
func Learn(p *flow.Program, funcs []*ssa.Function, d infer.Directives, budget int) *track.Table {
	t := track.NewTable(p)
	made := make([]learner, len(funcs))
	taken := make([][]summary.FieldEffect, len(funcs)) // what directives say
	for i, f := range funcs {
		var putting map[*types.Var]bool
		made[i] = learner{track.New(t, f, budget)}
		taken[i], putting = takes(f, d)
		for _, put := range made[i].code.Puts {
			if load := ssax.Load(p.Origin(put.Arg)); load != nil {
				if v := ssax.FieldVar(load.X); v != nil {
					putting[v] = true
				} else if v := ssax.ListField(load.X); v != nil {
					t.Elements[v] = true
				}
			}
		}
		for v := range putting {
			t.Fields[v] = true
			t.Putters[v]++
		}
	}
	for range maxStateRounds {
		changed := false
		for i, fn := range made {
			changed = fn.learnStates(taken[i]) || changed
		}
		if !changed {
			break
		}
	}
	return t
}

// maxStateRounds bounds how deep a call of a method may lie under another one.
const maxStateRounds = 4

// learner learns what one function does with the objects that fields hold.
type learner struct{ code *track.Code }

// learnStates learns what one function does, of which taken is what a directive says, and
// reports whether that is new.
func (fn learner) learnStates(taken []summary.FieldEffect) bool {
	var list []summary.FieldEffect
	var inner []track.Placed
	for _, place := range fn.owned() {
		e := fn.effect(place)
		if e == (summary.FieldEffect{Sets: e.Sets}) {
			continue
		}
		if fn.code.F.Parent() != nil {
			inner = append(inner, track.Placed{Place: place, FieldEffect: e})
		}
		if i, path, ok := fn.code.Program.Given(fn.code.F, place); ok && i < 64 {
			e.Param, e.Path = i, path
			list = append(list, e)
		}
	}
	old := *fn.code.Program.Own(fn.code.F)
	next := old
	next.SetFields(declared(list, taken, func(e summary.FieldEffect) bool { return fn.code.MaySetPath(fn.code.F, e.Param, e.Path) }))
	fn.learnPools(&next)
	fn.learnViews(&next)
	fn.learnHolders(&next)
	fn.learnEmptied(&next)
	changed := fn.code.Program.SetOwn(fn.code.F, &next)
	changed = changed || !slices.Equal(inner, fn.code.Literals[fn.code.F])
	fn.code.Literals[fn.code.F] = inner
	return changed
}

// owned returns the places outside of the function's own variables that may hold
// a pooled object, in a fixed order.
func (fn learner) owned() []memory.Var {
	var places []memory.Var
	add := func(place memory.Var, ok bool) {
		if ok && fn.known(place) && !slices.Contains(places, place) {
			places = append(places, place)
		}
	}
	for instr := range ssax.Instrs(fn.code.F) {
		switch instr := instr.(type) {
		case *ssa.UnOp:
			if ssax.Load(instr) != nil {
				if v := ssax.FieldVar(instr.X); v != nil && fn.code.Fields[v] {
					add(fn.code.Program.Place(instr.X))
				}
			}
		case ssa.CallInstruction:
			c := fn.code.Program.Resolve(instr)
			for _, e := range c.Summary.Fields {
				add(c.Place(fn.code.Program, e.Param, e.Path))
			}
			for _, p := range fn.code.Literals[c.Lit] {
				add(p.Place, true)
			}
		}
	}
	slices.SortFunc(places, func(a, b memory.Var) int {
		return cmp.Compare(fn.code.Program.PlaceText(a), fn.code.Program.PlaceText(b))
	})
	return places
}

// known reports whether a place is the caller's: it is reached from a parameter,
// or from a variable of the function around.
func (fn learner) known(place memory.Var) bool {
	if alloc, ok := place.Base.(*ssa.Alloc); ok && alloc.Parent() != fn.code.F {
		return true
	}
	_, _, ok := fn.code.Program.Given(fn.code.F, place)
	return ok
}

// effect walks from the entry of a function, where a place holds an object, to
// its returns.
func (fn learner) effect(place memory.Var) summary.FieldEffect {
	e := summary.FieldEffect{Sets: fn.overwritten(place)}
	puts, puttingLess := fn.reached(place, events.Put, &e)
	uses, usingLess := fn.reached(place, events.Use, &e)
	e.Puts = puts > 0 && puttingLess == 0
	e.Uses = uses > 0 && usingLess == 0
	return e
}

// reached counts the paths on which the object of a place meets a kind of event,
// and those that return without.
func (fn learner) reached(place memory.Var, kind events.Kind, e *summary.FieldEffect) (with, without int) {
	al := alias.At(fn.code.Program, fn.code.F, place)
	w := &track.Follower{Table: fn.code.Table, Al: al, Start: fn.code.F.Blocks[0].Instrs[0]}
	if prm, ok := place.Base.(*ssa.Parameter); ok {
		w.Owner = prm
	}
	w.Maybe = func() { e.MayPut = true }
	w.Found = func(instr ssa.Instruction, t track.Touch, s *paths.State) bool {
		if t.Kind == events.Put {
			e.MayPut = true
		}
		if t.Kind == events.Use && !usesMemory(t.How) {
			return true
		}
		if t.Kind == events.Use {
			e.May = true
		}
		if t.Kind == kind {
			with++
		} else if kind == events.Use {
			without++ // put before it is used
		}
		return t.Kind != kind && kind == events.Put
	}
	w.Leave = func(ret *ssa.Return, s *paths.State) {
		if ret.Block() != fn.code.F.Recover {
			without++
		}
	}
	s := new(paths.State)
	s.Note(place, true)
	whole := false
	if spilled := fn.spilled(place); spilled != nil {
		w.Start = spilled
		whole = fn.code.Whole().FromWith(spilled, s, w)
	} else {
		whole = fn.code.Whole().EntryWith(fn.code.F, s, w)
	}
	if !whole {
		without++
	}
	return with, without
}

// spilled returns the store of a parameter into the variable that a literal captures, which is
// where a place that is reached from the variable begins to be the caller's.
func (fn learner) spilled(place memory.Var) *ssa.Store {
	alloc, ok := place.Base.(*ssa.Alloc)
	if !ok || alloc.Parent() != fn.code.F {
		return nil
	}
	if stores := fn.code.Program.Stores(alloc).Whole; len(stores) == 1 && stores[0].Parent() == fn.code.F {
		return stores[0]
	}
	return nil
}

// usesMemory reports whether a use is one of the memory of an object, not only of
// the reference to it.
func usesMemory(how events.How) bool {
	switch how {
	case events.Read, events.Written, events.Passed, events.Captured, events.Sent:
		return true
	}
	return false
}

// overwritten reports whether a place may hold something else when the function
// returns.
func (fn learner) overwritten(place memory.Var) bool {
	if i, path, ok := fn.code.Program.Given(fn.code.F, place); ok {
		return fn.code.MaySetPath(fn.code.F, i, path)
	}
	return fn.code.Program.Assigns(fn.code.F, place) || flow.Any(fn.code.Program.Calls(fn.code.F), func(c *flow.Call) bool { return fn.code.PassedOn(c, place) })
}
