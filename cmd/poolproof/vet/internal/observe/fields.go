package observe

import (
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// effects calls f with each place that a call does something with through a
// struct that it gets, until f returns false.
func (o *Table) effects(c *flow.Call, f func(place memory.Var, e summary.FieldEffect) bool) {
	if c.Builtin != "" {
		return
	}
	for _, e := range c.Summary.Fields {
		if e.Param >= c.Captures || e.Param >= len(c.Args) {
			continue
		}
		if place, ok := o.Program.Inside(c.Args[e.Param], e.Path); ok && !f(place, e) {
			return
		}
	}
	if c.Lit == nil {
		return
	}
	for _, p := range o.literals[c.Lit] {
		if !f(p.place, p.FieldEffect) {
			return
		}
	}
}

// state is what is known after a put: a callee may have let go of the field out of
// which it put.
func (p *put) state() *paths.State {
	s := new(paths.State)
	if p.place.Base != nil && p.sets {
		s.Note(p.place, false)
	}
	return s
}

// fieldPuts collects the calls that put what a field of an argument holds.
func (fn *function) fieldPuts() {
	for _, b := range fn.f.Blocks {
		if b == fn.f.Recover {
			continue
		}
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok {
				continue
			}
			c := fn.Program.Resolve(call)
			if c.Started() {
				continue
			}
			fn.effects(&c, func(place memory.Var, e summary.FieldEffect) bool {
				if e.Puts && !isGlobal(place.Base) {
					fn.fields = append(fn.fields, put{call: c, certain: true, place: place, sets: e.Sets})
				}
				return true
			})
		}
	}
}

// afterFields finds what happens to what fields held after callees have put it.
func (fn *function) afterFields(step func(func())) {
	for i := range fn.fields {
		p := &fn.fields[i]
		obj := &events.Object{Func: fn.out, Name: fn.placeName(p.place), Custom: p.call.Lit == nil}
		fn.out.Objects = append(fn.out.Objects, obj)
		p.object = obj
		obj.Puts = append(obj.Puts, fn.putEvent(p))
		step(func() {
			if p.call.Deferred() {
				fn.deferred(p)
			} else {
				fn.after(p)
			}
			fn.escapes(p)
		})
		fn.viewed(p, step)
	}
}

// placeName is a place as the source calls it: "c.buf".
func (fn *function) placeName(place memory.Var) string {
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			if at, ok := instr.(*ssa.FieldAddr); ok {
				if v, ok := fn.Program.Place(at); ok && v == place {
					return fn.baseName(place) + "." + ssax.FieldName(at)
				}
			}
		}
	}
	if name := fn.baseName(place); name != "" {
		return "the object in " + name
	}
	return ""
}

func (fn *function) baseName(place memory.Var) string { return fn.nameOf(place.Base) }

// fields returns what a call does with the object through a struct that it gets,
// whose field holds it.
func (v *view) fields(c *flow.Call) (t touch) {
	started := c.Started()
	v.effects(c, func(place memory.Var, e summary.FieldEffect) bool {
		if !v.al.Holds(place) || !v.held(place) {
			return true
		}
		reach := events.Whole
		if c.Lit == nil {
			reach = events.Field
		}
		switch {
		case e.Puts && !started:
			t = touch{events.Put, events.Plain, c.Name(), reach, nil}
			return false
		case e.Uses || started && e.May:
			t = touch{events.Use, events.Passed, c.Name(), reach, nil}
		}
		return true
	})
	return t
}

// mayPut reports whether a call puts the object, on some paths, through a struct that
// it gets.
func (v *view) mayPut(call ssa.CallInstruction) (may bool) {
	c := v.Program.Resolve(call)
	v.effects(&c, func(place memory.Var, e summary.FieldEffect) bool {
		may = may || e.MayPut && v.al.Holds(place) && v.held(place)
		return !may
	})
	return may
}

// returnsOwner returns the result that is the struct whose field a deferred call
// has put.
func (fn *Code) returnsOwner(p *put, w *follower, ret *ssa.Return, s *paths.State) ssa.Value {
	if p.place.Base == nil || p.sets || !w.held(p.place, s) {
		return nil
	}
	for _, r := range ret.Results {
		place, ok := fn.Program.Inside(r, "")
		if ok && place.Base == p.place.Base && strings.HasPrefix(p.place.Path, place.Path) && ssax.HasPointers(r.Type()) {
			return r
		}
	}
	return nil
}

// placeOf returns the place of an object that is known by its place alone.
func (fn *function) placeOf(al *alias.Set) memory.Var {
	for i := range fn.fields {
		if p := &fn.fields[i]; al.Root == nil && al.Holds(p.place) {
			return p.place
		}
	}
	return memory.Var{}
}

// fieldAliases returns the aliases of what a callee puts out of a field: what was
// read there before, and what is read there later, if the callee leaves it.
func (fn *Code) fieldAliases(p *put) *alias.Set {
	var loads []ssa.Value
	for _, load := range fn.Program.Loads(fn.f, p.place) {
		if load.Parent() == fn.f && ssax.Before(load, p.call.Instr) && !fn.movedSince(load, p) {
			loads = append(loads, load)
		}
	}
	if len(loads) == 0 {
		al := alias.At(fn.Program, fn.f, p.place)
		fn.addViews(al, p.place, p)
		return al
	}
	al := alias.Of(fn.Program, loads...)
	al.AddPlace(p.place)
	fn.addViews(al, p.place, p)
	return al
}

// movedSince reports whether a place may have been written between a load of it
// and the call that puts what it holds.
func (fn *Code) movedSince(load *ssa.UnOp, p *put) bool {
	between := func(instr ssa.Instruction) bool {
		return instr.Parent() != fn.f || instr != p.call.Instr && !ssax.Before(instr, load) && ssax.MayPrecede(instr, p.call.Instr)
	}
	for _, s := range fn.Program.StoresTo(fn.f, p.place) {
		if between(s) {
			return true
		}
	}
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			if call, ok := instr.(ssa.CallInstruction); ok && between(instr) && fn.passedOn(call, p.place) {
				return true
			}
		}
	}
	return ssax.Reaches(load.Block(), load.Block())
}
