package lifetime

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// enough is how many objects must have been followed to their end.
const enough = 3

// observations judges all sites.
func (w *watched) observations(sites []*profile.Site, processes []*record.Process, failed []string) []Observation {
	all := make([]Observation, len(sites))
	for i := range sites {
		s := w.gather(i, processes)
		o := Observation{Class: Unknown, Wait: -1}
		switch {
		case w.why[i] != "":
			o.Why = w.why[i]
		case s.objects == 0 && len(failed) > 0:
			o.Why = failed[0]
		default:
			newVerdict(s, &o).judge()
		}
		all[i] = o
	}
	return all
}

// verdict makes the observation of a site.
type verdict struct {
	*seen
	*Observation
	ends map[Class][]life // of the tested objects
}

func newVerdict(s *seen, o *Observation) *verdict {
	v := &verdict{s, o, map[Class][]life{}}
	// Of an object that was made in a call that was not tested it may be known only that it died
	// no later than with a call around that.
	all := slices.DeleteFunc(slices.Clone(s.tested), func(l life) bool { return l.Partial && l.Died != 0 })
	if len(all) < enough {
		all = s.tested
	}
	for _, l := range all {
		end := s.end(l)
		v.ends[end] = append(v.ends[end], l)
		o.Objects++
	}
	o.Function, o.Call, o.Operation, o.Later = len(v.ends[InFunction]), len(v.ends[InCall]), len(v.ends[Returned]), len(v.ends[Kept])
	o.Wait = s.wait()
	return v
}

// judge applies the rules in turn, those that speak against using memory again first. The first
// one that applies decides: one object is enough.
func (v *verdict) judge() {
	for _, rule := range []func() bool{
		v.touchedByOther, v.gotByCallback, v.tooFew, v.keptAfterOperation, v.keptAfterRun, v.handedOut, v.notSettled, v.inFunction,
	} {
		if rule() {
			return
		}
	}
	v.inCall()
}

func (v *verdict) touchedByOther() bool {
	l, ok := v.find(func(l life) bool { return l.Other != 0 })
	if !ok {
		return false
	}
	v.Class, v.Other = Shared, v.other(l)
	v.Last, _ = v.last(v.tested)
	v.Why = fmt.Sprintf("another goroutine than the one that made the object touches it in %s", v.Other)
	return true
}

// gotByCallback: a test file touches an object before the call has returned that made it. It
// was handed out, and another program may keep it.
func (v *verdict) gotByCallback() bool {
	l, ok := v.find(func(l life) bool {
		return l.Touch != 0 && core.Zone(l.Zone) <= core.InCall && strings.HasSuffix(v.access(l).File, "_test.go")
	})
	if !ok {
		return false
	}
	v.Class, v.Last = Returned, v.access(l)
	v.Why = fmt.Sprintf("while the call runs, code of the benchmark gets the object: %s", v.Last)
	return true
}

func (v *verdict) tooFew() bool {
	switch {
	case v.Objects >= enough:
		return false
	case v.objects == 0:
		v.Why = "no benchmark that was watched makes objects here"
	case v.small > 0 && v.objects-v.small < enough:
		v.Why = "its objects are smaller than 16 bytes and hold no pointers: several share a block, which cannot be followed"
	default:
		v.Why = fmt.Sprintf("%d objects were followed to their end: at least %d have to be", v.Objects, enough)
	}
	return true
}

func (v *verdict) keptAfterOperation() bool {
	lives := v.ends[Kept]
	if len(lives) == 0 {
		return false
	}
	v.reachable(Kept, lives, v.Objects, "when the operation has ended that made them")
	if v.blind != "" {
		v.Why += "; no loop over b.N, b.Loop or pb.Next was found in the test files of " + v.blind + ", so that all of it counts as one operation"
	}
	return true
}

func (v *verdict) keptAfterRun() bool {
	var kept []life
	for _, l := range v.later {
		if core.Fate(l.Fate) == core.Present {
			kept = append(kept, l)
		}
	}
	if len(kept) == 0 {
		return false
	}
	v.Observation.Later = len(kept)
	const when = "when the benchmark has ended"
	if l, _ := v.last(kept); l.Place == (profile.Place{}) && len(kept)*rare < v.objects {
		v.Why = fmt.Sprintf("of %d objects, %d can be reached %s, and what has them was not seen: a cache that few come to, or a frame that nothing has overwritten yet", v.objects, len(kept), when)
		return true
	}
	v.reachable(Kept, kept, v.objects, when)
	return true
}

// rare: of as many objects, one that is left over does not say that the others are kept.
const rare = 1000

func (v *verdict) handedOut() bool {
	const when = "when the call by the benchmark has returned"
	if lives := v.ends[Returned]; len(lives) > 0 {
		v.reachable(Returned, lives, v.Objects, when)
		return true
	}
	l, ok := v.find(func(l life) bool { return l.Touch != 0 && core.Zone(l.Zone) >= core.InOperation })
	if ok {
		v.Class, v.Last = Returned, v.access(l)
		v.Why = fmt.Sprintf("an object is touched %s: %s", when, v.Last)
	}
	return ok
}

func (v *verdict) notSettled() bool {
	switch n := len(v.ends[Unknown]); {
	case v.cut > 0:
		v.Why = fmt.Sprintf("the operations make too many objects: of %d of %d it was not seen when they could no longer be reached", v.cut, v.objects)
	case n > 0:
		v.Why = fmt.Sprintf("of %d of %d objects it was not seen when they could no longer be reached", n, v.Objects)
	case v.several != "":
		v.Why = "several goroutines begin the operations of " + v.several
	default:
		return false
	}
	return true
}

func (v *verdict) inFunction() bool {
	if v.Call > 0 {
		return false
	}
	if _, ok := v.find(func(l life) bool { return l.Touch != 0 && core.Zone(l.Zone) >= core.InCall }); ok {
		return false
	}
	v.outOfReach(InFunction, v.ends[InFunction], v.functions[v.own[0]-1])
	return true
}

func (v *verdict) inCall() {
	lives := v.ends[InCall]
	if len(lives) == 0 {
		l, _ := v.find(func(l life) bool { return l.Touch != 0 && core.Zone(l.Zone) >= core.InCall })
		v.Last = v.access(l)
		v.Why = fmt.Sprintf("the first objects cannot be reached when the function has returned that made them, but a later one is touched then: %s", v.Last)
		return
	}
	// The outermost function after which one is out of reach.
	l := slices.MinFunc(lives, func(a, b life) int { return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Died, b.Died)) })
	v.outOfReach(InCall, lives, v.functions[l.Died-1])
}

// reachable says that some objects of so many can be reached at a time.
func (v *verdict) reachable(c Class, lives []life, of int, when string) {
	v.Class = c
	v.Why = fmt.Sprintf("of %d objects, %d can be reached %s; %s", of, len(lives), when, v.lastWords(lives))
}

// outOfReach says that no object can be reached once a function has returned.
func (v *verdict) outOfReach(c Class, lives []life, f function) {
	v.Class, v.Within, v.Where = c, f.name, f.Place
	v.Why = fmt.Sprintf("of %d objects, none can be reached once %s has returned; %s", v.Objects, f.name, v.lastWords(lives))
}

// lastWords says where the last access is, and notes it.
func (v *verdict) lastWords(lives []life) string {
	a, zone := v.last(lives)
	if v.Last = a; a.Place == (profile.Place{}) {
		return "no access was seen"
	}
	when := [...]string{"in the function that made it", "in the call that made it", "after that call", "in a later operation"}[zone]
	return fmt.Sprintf("the last access that is seen is %s: %s", when, a)
}

// find returns an object for which is says yes.
func (v *verdict) find(is func(life) bool) (life, bool) {
	for _, lives := range [][]life{v.tested, v.later} {
		if i := slices.IndexFunc(lives, is); i >= 0 {
			return lives[i], true
		}
	}
	return life{}, false
}

// end says when an object that was tested can no longer be reached.
func (s *seen) end(l life) Class {
	switch {
	case l.Died != 0 && l.Outlived == 0 && !l.Partial && slices.Contains(s.own, l.Died):
		return InFunction
	case l.Died != 0:
		return InCall
	case core.Fate(l.Fate) == core.Gone:
		return Returned
	case core.Fate(l.Fate) == core.Present:
		return Kept
	}
	return Unknown
}
