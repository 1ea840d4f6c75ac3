package observe

import (
	"cmp"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// Table is what the functions of a package do with pooled objects in fields. Declared
// functions have it in their summaries, by parameter; literals have it here, by the place
// that they share with the function around them.
type Table struct {
	Program  *flow.Program
	fields   map[*types.Var]bool // fields out of which something is put
	putters  map[*types.Var]int  // how many functions do so
	literals map[*ssa.Function][]placed
	sets     map[setting]bool
}

// newTable returns a table in which nothing is known yet.
func newTable(p *flow.Program) *Table {
	return &Table{
		Program:  p,
		fields:   make(map[*types.Var]bool),
		putters:  make(map[*types.Var]int),
		literals: make(map[*ssa.Function][]placed),
		sets:     make(map[setting]bool),
	}
}

// placed is what a literal does with the object of a place.
type placed struct {
	place memory.Var
	summary.FieldEffect
}

// setting asks whether a function may set a path from a parameter.
type setting struct {
	f     *ssa.Function
	param int
	path  string
}

// maxStateRounds bounds how deep a call of a method may lie under another one.
const maxStateRounds = 4

// Learn learns what each function does with the objects that fields hold, and adds to the
// summaries what that says of results. It comes after all else that is learned. Budget is
// in steps, for each function.
func Learn(p *flow.Program, funcs []*ssa.Function, budget int) *Table {
	t := newTable(p)
	made := make([]learner, len(funcs))
	for i, f := range funcs {
		made[i] = learner{newCode(t, f, budget)}
		putting := make(map[*types.Var]bool)
		for _, put := range made[i].puts {
			if load := ssax.Load(p.Origin(put.arg)); load != nil {
				if v := ssax.FieldVar(load.X); v != nil {
					t.fields[v] = true
					putting[v] = true
				}
			}
		}
		for v := range putting {
			t.putters[v]++
		}
	}
	for range maxStateRounds {
		changed := false
		for _, fn := range made {
			changed = fn.learnStates() || changed
		}
		if !changed {
			break
		}
	}
	return t
}

// learner learns what one function does with the objects that fields hold.
type learner struct{ *Code }

// learnStates learns what one function does, and reports whether that is new.
func (fn learner) learnStates() bool {
	var list []summary.FieldEffect
	var inner []placed
	for _, place := range fn.owned() {
		e := fn.effect(place)
		if e == (summary.FieldEffect{Sets: e.Sets}) {
			continue
		}
		if fn.f.Parent() != nil {
			inner = append(inner, placed{place: place, FieldEffect: e})
		}
		if i, path, ok := fn.Program.Given(fn.f, place); ok && i < 64 {
			e.Param, e.Path = i, path
			list = append(list, e)
		}
	}
	old := *fn.Program.Own(fn.f)
	next := old
	next.SetFields(list)
	fn.learnPools(&next)
	fn.learnViews(&next)
	fn.learnHolders(&next)
	fn.learnEmptied(&next)
	changed := fn.Program.SetOwn(fn.f, &next)
	changed = changed || !slices.Equal(inner, fn.literals[fn.f])
	fn.literals[fn.f] = inner
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
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			switch instr := instr.(type) {
			case *ssa.UnOp:
				if ssax.Load(instr) != nil {
					if v := ssax.FieldVar(instr.X); v != nil && fn.fields[v] {
						add(fn.Program.Place(instr.X))
					}
				}
			case ssa.CallInstruction:
				c := fn.Program.Resolve(instr)
				for _, e := range c.Summary.Fields {
					if e.Param < c.Captures && e.Param < len(c.Args) {
						add(fn.Program.Inside(c.Args[e.Param], e.Path))
					}
				}
				for _, p := range fn.literals[c.Lit] {
					add(p.place, true)
				}
			}
		}
	}
	slices.SortFunc(places, func(a, b memory.Var) int {
		return cmp.Compare(fn.Program.PlaceText(a), fn.Program.PlaceText(b))
	})
	return places
}

// known reports whether a place is the caller's: it is reached from a parameter,
// or from a variable of the function around.
func (fn learner) known(place memory.Var) bool {
	if alloc, ok := place.Base.(*ssa.Alloc); ok && alloc.Parent() != fn.f {
		return true
	}
	_, _, ok := fn.Program.Given(fn.f, place)
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
	fn.walker.Budget = fn.budget
	fn.walker.GaveUp = false
	al := alias.At(fn.Program, fn.f, place)
	w := &follower{Table: fn.Table, al: al, start: fn.f.Blocks[0].Instrs[0]}
	if prm, ok := place.Base.(*ssa.Parameter); ok {
		w.owner = prm
	}
	w.maybe = func() { e.MayPut = true }
	w.found = func(instr ssa.Instruction, t touch, s *paths.State) bool {
		if t.kind == events.Put {
			e.MayPut = true
		}
		if t.kind == events.Use && !usesMemory(t.how) {
			return true
		}
		if t.kind == events.Use {
			e.May = true
		}
		if t.kind == kind {
			with++
		} else if kind == events.Use {
			without++ // put before it is used
		}
		return t.kind != kind && kind == events.Put
	}
	w.leave = func(ret *ssa.Return, s *paths.State) {
		if ret.Block() != fn.f.Recover {
			without++
		}
	}
	s := new(paths.State)
	s.Note(place, true)
	fn.walker.EntryWith(fn.f, s, w)
	if fn.walker.GaveUp {
		without++
	}
	return with, without
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
	if i, path, ok := fn.Program.Given(fn.f, place); ok {
		return fn.sometimesSets(fn.f, i, path)
	}
	for _, s := range fn.Program.StoresTo(fn.f, place) {
		if s.Parent() == fn.f {
			return true
		}
	}
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && fn.passedOn(call, place) {
				return true
			}
		}
	}
	return false
}

// sometimesSets reports whether a function of the package may set a path from one of its
// parameters.
func (o *Table) sometimesSets(f *ssa.Function, param int, path string) bool {
	return o.setsIn(setting{f, param, path})
}

// setsIn reports whether a function of the package may set a path from one of its
// parameters.
func (o *Table) setsIn(q setting) bool {
	if known, ok := o.sets[q]; ok {
		return known
	}
	o.sets[q] = false // if it depends on itself, the rest decides
	sets := o.mayWrite(q)
	o.sets[q] = sets
	return sets
}

func (o *Table) mayWrite(q setting) bool {
	for _, f := range o.Program.Family(q.f) {
		for _, b := range f.Blocks {
			for _, instr := range b.Instrs {
				switch instr := instr.(type) {
				case *ssa.Store:
					place, ok := o.Program.Place(instr.Addr)
					if !ok {
						continue
					}
					if i, path, ok := o.Program.Given(q.f, place); ok && i == q.param && len(q.path) >= len(path) && q.path[:len(path)] == path {
						if _, isVar := instr.Addr.(*ssa.Alloc); !isVar {
							return true
						}
					}
				case ssa.CallInstruction:
					if o.passes(q, instr) {
						return true
					}
				}
			}
		}
	}
	return false
}

// passes reports whether a call gets what may set the path that is asked for.
func (o *Table) passes(q setting, call ssa.CallInstruction) bool {
	c := o.Program.Resolve(call)
	for j, arg := range c.Args {
		if j >= c.Captures || c.Builtin != "" {
			continue
		}
		place, ok := o.Program.Inside(arg, "")
		if !ok {
			continue
		}
		i, path, ok := o.Program.Given(q.f, place)
		if ok && i == q.param && len(q.path) >= len(path) && q.path[:len(path)] == path && o.maySet(&c, j, q.path[len(path):]) {
			return true
		}
	}
	return false
}

// maySet reports whether a call may set a path from its argument i.
func (o *Table) maySet(c *flow.Call, i int, path string) bool {
	if c.IsPool() {
		return false
	}
	if c.Lit == nil || i >= len(c.Lit.Params) {
		e, ok := c.Summary.Field(i, path)
		return !ok || e.Sets
	}
	if c.Summary.Retains.Has(i) {
		return true
	}
	return o.setsIn(setting{c.Lit, i, path})
}

// passedOn reports whether a call gets a struct and may set a place in it.
func (o *Table) passedOn(call ssa.CallInstruction, v memory.Var) bool {
	c := o.Program.Resolve(call)
	if c.Builtin != "" || c.IsPool() {
		return false
	}
	for i, arg := range c.Args {
		if i >= c.Captures {
			continue
		}
		place, ok := o.Program.Inside(arg, "")
		if ok && v.Within(place) && o.maySet(&c, i, v.Path[len(place.Path):]) {
			return true
		}
	}
	return false
}
