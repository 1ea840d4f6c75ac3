package late

import (
	"golang.org/x/tools/go/ssa"

	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/alias"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/events"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/flow"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/memory"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/observe/outlive"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/paths"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/scene"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/ssax"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/summary"
	"github.com/poolproof/poolproof/cmd/poolproof/vet/internal/track"
)

// Viewed follows what methods have handed out of a field from there to a call that
// puts what the field holds, and beyond it. The field may be set, and its object be
// another one, before the method is called: what counts is what it holds from then on.
func Viewed(fn *scene.Function, p *track.Put) (questions []scene.Question) {
	for _, out := range fn.HandedOut(p.Place) {
		if out.Call == p.Call.Instr || !p.Certain && ssax.Pointee(out.Value.Type()) != nil || filledBefore(fn.Code, out) {
			continue // a pointer may be to what was taken out of the pool's reach
		}
		al := fn.Bounded(alias.OfView(fn.Program, out.Value, track.Reach(p, out.Value)))
		if al == nil {
			continue
		}
		questions = append(questions, func() []scene.Found { return afterView(fn, p, out, al) })
		if !changedBetween(fn.Code, out, p) {
			questions = append(questions, func() []scene.Found { return outlive.EscapesOf(fn, p, al) })
		}
	}
	return questions
}

// filledBefore reports whether somebody gives memory of its own to the object
// before a method hands out what is in it: it may be that.
func filledBefore(fn *track.Code, out track.HandedOut) bool {
	at, _ := fn.Program.Inside(out.Owner, "")
	return flow.AnyArg(fn.Program.Calls(fn.F), func(c *flow.Call, i int, arg ssa.Value) bool {
		if i >= c.Captures || c.Builtin != "" || c.Instr == ssa.CallInstruction(out.Call) || !ssax.MayPrecede(c.Instr, out.Call) {
			return false
		}
		if to, ok := fn.Program.Inside(arg, ""); !ok || to != at {
			return false
		}
		into, _ := c.Summary.Stored(i)
		for j, stored := range c.Args {
			if (into.From | into.May).Has(j) && ssax.IsMemory(stored.Type()) {
				return true
			}
		}
		return false
	})
}

// changes reports whether an instruction may set the field of which something was
// handed out.
func changes(fn *track.Code, instr ssa.Instruction, out track.HandedOut) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		owner, _ := fn.Program.Inside(out.Owner, "")
		place, ok := fn.Program.Place(instr.Addr)
		return ok && out.Place.Within(place) || throughMethod(fn, instr.Addr, owner)
	case ssa.CallInstruction:
		c := fn.Program.Resolve(instr)
		return fn.PassedOn(&c, out.Place)
	}
	return false
}

// throughMethod reports whether an address is inside of something that a method of an
// owner returned: what is set there may be the memory that goes with the owner.
func throughMethod(fn *track.Code, addr ssa.Value, owner memory.Var) bool {
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
func changedBetween(fn *track.Code, out track.HandedOut, p *track.Put) bool {
	return ssax.Any(ssax.Instrs(fn.F), func(instr ssa.Instruction) bool {
		return instr != p.Call.Instr && instr != ssa.Instruction(out.Call) && ssax.MayPrecede(out.Call, instr) && changes(fn, instr, out)
	})
}

// viewing is a visitor that waits for the put of what was handed out, and looks for
// uses from there on.
type viewing struct {
	*track.Follower
	fn  *scene.Function
	p   *track.Put
	out track.HandedOut
}

// What is noted: that the deferred put was reached, and that the put was.
const (
	willBePut = "will be put"
	isPut     = "is put"
)

// Visit passes all until the put.
func (v *viewing) Visit(instr ssa.Instruction, s *paths.State) bool {
	if done, _ := s.Noted(isPut); done {
		return v.Follower.Visit(instr, s)
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
	if instr == v.p.Call.Instr {
		if v.p.Call.Deferred() {
			s.Note(willBePut, true)
			return true
		}
		s.Note(isPut, true)
		s.Told(v.Program, v.p.Told, v.p.ToldYes)
		return true
	}
	if instr == ssa.Instruction(v.out.Call) || changes(v.fn.Code, instr, v.out) {
		return false
	}
	v.Note(instr, s)
	return true
}

// afterView finds the first use of what was handed out after its put.
func afterView(fn *scene.Function, p *track.Put, out track.HandedOut, al *alias.Set) (found []scene.Found) {
	first := fn.PutEvent(p)
	w := &track.Follower{Table: fn.Table, Al: al, Start: out.Call}
	w.Found = func(instr ssa.Instruction, t track.Touch, s *paths.State) bool {
		if ret, ok := instr.(*ssa.Return); ok && (ret.Block() == fn.F.Recover || !resultMatters(fn.Code, t.Value)) || t.Kind != events.Use {
			return true
		}
		second := fn.Event(t.Kind, instr)
		second.How, second.What = t.How, t.What
		h := events.History{Events: []events.Event{first, second}, Reach: max(t.Reach, track.Reach(p, out.Value))}
		if t.How == events.Returned {
			h.Copyable = copyable(fn, instr, t.Value)
		}
		found = append(found, fn.Found(p, h))
		return false
	}
	s := new(paths.State)
	if p.Call.Deferred() && ssax.Before(p.Call.Instr, out.Call) {
		s.Note(willBePut, true)
	}
	fn.Walker.FromWith(out.Call, s, &viewing{Follower: w, fn: fn, p: p, out: out})
	return found
}

// ownersPut collects the calls that put an object and, on some paths, what a field of
// it holds: who has memory of that may have lost it with the object.
func ownersPut(fn *scene.Function) (list []track.Put) {
	for i := range fn.Puts {
		owner := &fn.Puts[i]
		if !owner.Certain || owner.Told != nil || owner.Call.Started() || owner.Counted || owner.Call.IsPool() {
			continue
		}
		fn.Each(&owner.Call, func(place memory.Var, e summary.FieldEffect) bool {
			if e.MayPut && !e.Puts && place.Base == base(owner, fn) {
				list = append(list, track.Put{Call: owner.Call, Place: place, Sets: e.Sets})
			}
			return true
		})
	}
	return list
}

// base is the base of the places that are reached through the object of a put.
func base(p *track.Put, fn *scene.Function) ssa.Value {
	if p.Captured {
		return p.Arg
	}
	at, _ := fn.Program.Inside(p.Arg, "")
	return at.Base
}

// AfterOwners asks what becomes of memory that was handed out of an object.
func AfterOwners(fn *scene.Function) (questions []scene.Question) {
	for _, p := range ownersPut(fn) {
		if len(fn.HandedOut(p.Place)) == 0 {
			continue
		}
		p.Object = &events.Object{Func: fn.Out, Name: fn.PlaceName(p.Place), Custom: p.Call.Lit == nil}
		fn.Out.Objects = append(fn.Out.Objects, p.Object)
		p.Object.Puts = append(p.Object.Puts, fn.PutEvent(&p))
		questions = append(questions, Viewed(fn, &p)...)
	}
	return questions
}

// EachRound finds deferred calls in a loop that may put what a field holds of a struct which the
// round has made.
func EachRound(fn *scene.Function) (found []scene.Found) {
	for _, d := range fn.Defers {
		c := fn.Program.Resolve(d)
		fn.Each(&c, func(place memory.Var, e summary.FieldEffect) bool {
			made, ok := place.Base.(ssa.Instruction)
			if ok && e.MayPut && !e.Puts && made.Block() != nil && ssax.Reaches(d.Block(), made.Block()) {
				p := &track.Put{Call: c, Place: place, Object: &events.Object{Func: fn.Out, Name: fn.PlaceName(place), Custom: true}}
				if rounds := loops(fn, p, fn.PutEvent(p)); len(rounds) > 0 {
					fn.Out.Objects = append(fn.Out.Objects, p.Object)
					found = append(found, rounds...)
					return false
				}
			}
			return true
		})
	}
	return found
}
