package observe

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
)

// handedOut is memory that a method has handed out of a field of an object:
// b := resp.Body().
type handedOut struct {
	call  *ssa.Call
	value ssa.Value
	owner ssa.Value  // the argument whose field it is of
	place memory.Var // the field
}

// viewed follows what methods have handed out of a field from there to a call that
// puts what the field holds, and beyond it. The field may be set, and its object be
// another one, before the method is called: what counts is what it holds from then on.
func (fn *function) viewed(p *put, step func(func())) {
	for _, out := range fn.handedOut(p.place) {
		if out.call == p.call.Instr || !p.certain && ssax.Pointee(out.value.Type()) != nil || fn.filledBefore(out) {
			continue // a pointer may be to what was taken out of the pool's reach
		}
		al := fn.bounded(alias.OfView(fn.Program, out.value))
		if al == nil {
			continue
		}
		if fn.usedBehind(p, out, al) {
			step(func() { fn.afterView(p, out, al) })
		}
		if !fn.changedBetween(out, p) {
			step(func() { fn.escapesOf(p, al) })
		}
	}
}

// handedOut returns what calls hand out of a place.
func (fn *Code) handedOut(place memory.Var) (list []handedOut) {
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(*ssa.Call)
			if !ok {
				continue
			}
			c := fn.Program.Resolve(call)
			for _, view := range c.Summary.Views {
				if view.Param >= c.Captures || view.Param >= len(c.Args) {
					continue
				}
				at, ok := fn.Program.Inside(c.Args[view.Param], view.Path)
				if v := c.Result(view.Result); ok && at == place && v != nil {
					list = append(list, handedOut{call, v, c.Args[view.Param], place})
				}
			}
		}
	}
	return list
}

// filledBefore reports whether somebody gives memory of its own to the object
// before a method hands out what is in it: it may be that.
func (fn *Code) filledBefore(out handedOut) bool {
	at, _ := fn.Program.Inside(out.owner, "")
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			call, ok := instr.(ssa.CallInstruction)
			if !ok || call == ssa.CallInstruction(out.call) || !ssax.MayPrecede(instr, out.call) {
				continue
			}
			c := fn.Program.Resolve(call)
			for i, arg := range c.Args {
				if i >= c.Captures || c.Builtin != "" {
					continue
				}
				if to, ok := fn.Program.Inside(arg, ""); !ok || to != at {
					continue
				}
				into, _ := c.Summary.Stored(i)
				for j, stored := range c.Args {
					if (into.From | into.May).Has(j) && ssax.IsMemory(stored.Type()) {
						return true
					}
				}
			}
		}
	}
	return false
}

// changes reports whether an instruction may set the field of which something was
// handed out; or, of a put that depends on what the object says of itself, any field
// of the object.
func (fn *Code) changes(instr ssa.Instruction, out handedOut, certain bool) bool {
	owner, _ := fn.Program.Inside(out.owner, "")
	switch instr := instr.(type) {
	case *ssa.Store:
		place, ok := fn.Program.Place(instr.Addr)
		return ok && (out.place.Within(place) || !certain && place != owner && place.Within(owner)) || fn.throughMethod(instr.Addr, owner)
	case ssa.CallInstruction:
		if fn.passedOn(instr, out.place) {
			return true
		}
		c := fn.Program.Resolve(instr)
		if certain || c.Builtin != "" {
			return false
		}
		for i, arg := range c.Args {
			if at, ok := fn.Program.Inside(arg, ""); !ok || at != owner || i >= c.Captures {
				continue
			}
			for _, d := range c.Summary.Detach {
				if d.Param == i {
					return true
				}
			}
		}
	}
	return false
}

// throughMethod reports whether an address is inside of something that a method of an
// owner returned: what is set there may be the memory that goes with the owner.
func (fn *Code) throughMethod(addr ssa.Value, owner memory.Var) bool {
	for {
		field, ok := addr.(*ssa.FieldAddr)
		if !ok {
			break
		}
		addr = field.X
	}
	call, ok := addr.(*ssa.Call)
	if !ok {
		return false
	}
	c := fn.Program.Resolve(call)
	for i, arg := range c.Args {
		if at, ok := fn.Program.Inside(arg, ""); ok && at == owner && i < c.Captures {
			return true
		}
	}
	return false
}

// changedBetween reports whether the field may be set after something was handed out
// of it, and before the put.
func (fn *Code) changedBetween(out handedOut, p *put) bool {
	for _, b := range fn.f.Blocks {
		for _, instr := range b.Instrs {
			if instr != p.call.Instr && instr != ssa.Instruction(out.call) && ssax.MayPrecede(out.call, instr) && fn.changes(instr, out, p.certain) {
				return true
			}
		}
	}
	return false
}

// usedBehind reports whether anything is done behind a put with what was handed out, be
// it on a path that is none.
func (fn *Code) usedBehind(p *put, out handedOut, al *alias.Set) bool {
	for _, v := range al.Values() {
		refs := v.Referrers()
		if refs == nil {
			continue
		}
		for _, ref := range *refs {
			_, isReturn := ref.(*ssa.Return)
			switch {
			case ref.Parent() != fn.f || isReturn:
				return true
			case p.call.Deferred():
				if store, ok := ref.(*ssa.Store); ok && isAlloc(store.Addr) {
					return true // a result with a name
				}
			case ref.Block() == p.call.Instr.Block() && ssax.Before(p.call.Instr, ref), ssax.Passes(p.call.Instr.Block(), ref.Block(), out.call.Block()):
				return true
			}
		}
	}
	return false
}

// viewing is a visitor that waits for the put of what was handed out, and looks for
// uses from there on.
type viewing struct {
	*follower
	fn  *function
	p   *put
	out handedOut
}

// What is noted: that the deferred put was reached, and that the put was.
const (
	willBePut = "will be put"
	isPut     = "is put"
)

// Visit passes all until the put.
func (v *viewing) Visit(instr ssa.Instruction, s *paths.State) bool {
	if done, _ := s.Noted(isPut); done {
		return v.follower.Visit(instr, s)
	}
	switch instr.(type) {
	case *ssa.Return:
		return false
	case *ssa.RunDefers:
		if due, _ := s.Noted(willBePut); due {
			s.Note(isPut, true)
		}
		return true
	}
	if instr == v.p.call.Instr {
		if v.p.call.Deferred() {
			s.Note(willBePut, true)
		} else {
			s.Note(isPut, true)
		}
		return true
	}
	if instr == ssa.Instruction(v.out.call) || v.fn.changes(instr, v.out, v.p.certain) {
		return false
	}
	v.note(instr, s)
	return true
}

// afterView finds the first use of what was handed out after its put.
func (fn *function) afterView(p *put, out handedOut, al *alias.Set) {
	first := fn.putEvent(p)
	w := &follower{Table: fn.Table, al: al, start: out.call}
	w.found = func(instr ssa.Instruction, t touch, s *paths.State) bool {
		if ret, ok := instr.(*ssa.Return); ok && (ret.Block() == fn.f.Recover || !fn.resultMatters(t.value)) || t.kind != events.Use {
			return true
		}
		second := fn.event(t.kind, instr)
		second.How, second.What = t.how, t.what
		h := events.History{Events: []events.Event{first, second}, Reach: max(t.reach, events.Field)}
		if t.how == events.Returned {
			h.Copyable = fn.copyable(instr, t.value)
		}
		fn.history(p, h)
		return false
	}
	s := new(paths.State)
	if p.call.Deferred() && ssax.Before(p.call.Instr, out.call) {
		s.Note(willBePut, true)
	}
	fn.walker.FromWith(out.call, s, &viewing{follower: w, fn: fn, p: p, out: out})
}

// ownersPut collects the calls that put an object and, on some paths, what a field of
// it holds: who has memory of that may have lost it with the object.
func (fn *function) ownersPut() (list []put) {
	for i := range fn.puts {
		owner := &fn.puts[i]
		if !owner.certain || owner.told != nil || owner.call.Started() || owner.counted || owner.call.IsPool() {
			continue
		}
		fn.effects(&owner.call, func(place memory.Var, e summary.FieldEffect) bool {
			if e.MayPut && !e.Puts && place.Base == owner.base(fn) {
				list = append(list, put{call: owner.call, place: place, sets: e.Sets})
			}
			return true
		})
	}
	return list
}

// base is the base of the places that are reached through the object of a put.
func (p *put) base(fn *function) ssa.Value {
	if p.captured {
		return p.arg
	}
	at, _ := fn.Program.Inside(p.arg, "")
	return at.Base
}

// afterOwners finds what becomes of memory that was handed out of an object.
func (fn *function) afterOwners(step func(func())) {
	for _, p := range fn.ownersPut() {
		if len(fn.handedOut(p.place)) == 0 {
			continue
		}
		p.object = &events.Object{Func: fn.out, Name: fn.placeName(p.place), Custom: p.call.Lit == nil}
		fn.out.Objects = append(fn.out.Objects, p.object)
		p.object.Puts = append(p.object.Puts, fn.putEvent(&p))
		fn.viewed(&p, step)
	}
}
