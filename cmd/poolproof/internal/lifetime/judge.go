package lifetime

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// enough is how many objects must have been followed to their end.
const enough = 3

// seen is what all processes have shown of one site.
type seen struct {
	*watched
	own     []int // numbers of the functions of the site
	objects int   // that were allocated, followed or not
	small   int
	freed   int    // by collections that were not forced
	waited  int    // operations that these lived for
	tested  []life // after whose functions the collector ran
	later   []life // others: after their operations it did not run, but at the end of the run
	several string // a benchmark whose operations several goroutines begin
	blind   string // a benchmark whose operations nothing tells
}

// life is one object with the stacks of its process.
type life struct {
	record.Life
	stacks map[int][]record.Frame
}

// observations judges all sites.
func (w *watched) observations(sites []Site, processes []*record.Process, failed []string) []Observation {
	all := make([]Observation, len(sites))
	for i, site := range sites {
		s := w.gather(i, processes)
		o := Observation{Site: site, Class: Unknown, Wait: -1}
		switch {
		case w.why[i] != "":
			o.Why = w.why[i]
		case s.objects == 0 && len(failed) > 0:
			o.Why = failed[0]
		default:
			s.judge(&o)
		}
		all[i] = o
	}
	return all
}

// gather collects what there is of a site, less what benchmarks set up.
func (w *watched) gather(i int, processes []*record.Process) *seen {
	s := &seen{watched: w, own: w.of[i]}
	for _, p := range processes {
		for _, c := range p.Sites {
			if c.Site == i+1 {
				s.objects, s.small = s.objects+c.Seen, s.small+c.Small
				s.freed, s.waited = s.freed+c.Freed, s.waited+c.Waited
			}
		}
		runs, first := map[int]record.Run{}, 0
		for _, r := range p.Runs {
			runs[r.Run] = r
			if first == 0 && r.Ended && r.Operations > 0 {
				first = r.Run
			}
		}
		for _, l := range p.Lives {
			run, ended := runs[l.Run]
			if l.Site != i+1 || ended && (!run.Ended || l.Operation == 0 && run.Operations > 0) {
				continue
			}
			if l.Run == first && l.Operation == 1 && (run.Operations > 1 || len(runs) > 1) {
				continue // it may fill what later operations use
			}
			if run.Several {
				s.several = l.Test
			}
			if run.Operations == 0 && strings.HasPrefix(l.Test, "Benchmark") {
				s.blind = l.Test
			}
			if l.Tested {
				s.tested = append(s.tested, life{l, p.Stacks})
			} else {
				s.later = append(s.later, life{l, p.Stacks})
			}
		}
	}
	return s
}

// judge fills in an observation.
func (s *seen) judge(o *Observation) {
	ends := map[Class][]life{}
	for _, l := range s.tested {
		end := s.end(l)
		ends[end] = append(ends[end], l)
		o.Objects++
		o.Bytes += l.Size
	}
	o.Function, o.Call, o.Operation, o.Later = len(ends[InFunction]), len(ends[InCall]), len(ends[Returned]), len(ends[Kept])
	o.Wait = s.wait()
	if l, ok := find(slices.Concat(s.tested, s.later), func(l life) bool { return l.Other != 0 }); ok {
		o.Other = s.access(l, l.Other)
		o.Class, o.Why = Shared, fmt.Sprintf("another goroutine than the one that made the object touches it in %s", o.Other)
		o.Last = s.last(s.tested)
		return
	}
	kept := s.kept()
	if l, ok := find(slices.Concat(s.tested, s.later), s.inCallback); ok {
		o.Last = s.access(l, l.Touch)
		o.Class, o.Why = Returned, fmt.Sprintf("while the call runs, code of the benchmark or test gets the object: %s", o.Last)
		return
	}
	late := func(zone core.Zone) (life, bool) {
		return find(s.later, func(l life) bool { return core.Zone(l.Zone) >= zone })
	}
	n := fmt.Sprintf("of %d objects", o.Objects)
	switch {
	case o.Objects < enough && s.small > 0 && s.objects-s.small < enough:
		o.Why = "its objects are smaller than 16 bytes and hold no pointers: several share a block, which cannot be followed"
	case o.Objects < enough:
		o.Why = fmt.Sprintf("%d objects were followed to their end: at least %d have to be", o.Objects, enough)
	case o.Later > 0:
		o.Class, o.Last = Kept, s.last(ends[Kept])
		o.Why = fmt.Sprintf("%s, %d can be reached when the operation has ended that made them; %s", n, o.Later, touched(o.Last, ends[Kept]))
		if s.blind != "" {
			o.Why += "; no loop over b.N, b.Loop or pb.Next was found in the test files of " + s.blind + ", so that all of it counts as one operation"
		}
	case len(kept) > 0:
		o.Class, o.Last, o.Later = Kept, s.last(kept), len(kept)
		o.Why = fmt.Sprintf("of %d objects, %d can be reached when the run has ended; %s", s.objects, len(kept), touched(o.Last, kept))
	case o.Operation > 0:
		o.Class, o.Last = Returned, s.last(ends[Returned])
		o.Why = fmt.Sprintf("%s, %d can be reached when the call by the benchmark or test has returned; %s", n, o.Operation, touched(o.Last, ends[Returned]))
	case len(ends[Unknown]) > 0:
		o.Why = fmt.Sprintf("%s, of %d it was not seen when they could no longer be reached", n, len(ends[Unknown]))
	case s.several != "":
		o.Why = "several goroutines begin the operations of " + s.several
	default:
		if l, ok := late(core.InOperation); ok {
			o.Last = s.access(l, l.Touch)
			o.Class, o.Why = Returned, fmt.Sprintf("the first objects cannot be reached when the call by the benchmark or test has returned, but later ones are touched then, in %s", o.Last)
			return
		}
		l, touchedLate := late(core.InCall)
		if o.Call == 0 && !touchedLate {
			o.Class, o.Last = InFunction, s.last(ends[InFunction])
			f := s.functions[s.own[0]-1]
			o.Within, o.Where = f.name, f.Line
			o.Why = fmt.Sprintf("%s, none can be reached when %s has returned; %s", n, o.Within, touched(o.Last, ends[InFunction]))
			return
		}
		o.Class, o.Last = InCall, s.last(ends[InCall])
		f := s.within(ends[InCall])
		if o.Call == 0 {
			o.Last = s.access(l, l.Touch)
		}
		o.Within, o.Where = f.name, f.Line
		o.Why = fmt.Sprintf("%s, none can be reached when %s has returned, which is on the way from the benchmark or test to the site; %s", n, o.Within, touched(o.Last, ends[InCall]))
	}
}

// kept are the objects that could be reached at the end of their run, of those that were not
// tested.
func (s *seen) kept() []life {
	var kept []life
	for _, l := range s.later {
		if core.Fate(l.Fate) == core.Present {
			kept = append(kept, l)
		}
	}
	return kept
}

// inCallback reports whether a test file touches an object before the call has returned that
// made it: it was handed out, and another program may keep it.
func (s *seen) inCallback(l life) bool {
	return l.Touch != 0 && core.Zone(l.Zone) <= core.InCall && strings.HasSuffix(s.access(l, l.Touch).File, "_test.go")
}

// end says when an object of which the collector was asked can no longer be reached.
func (s *seen) end(l life) Class {
	switch {
	case l.Died != 0 && l.Outlived == 0 && slices.Contains(s.own, l.Died):
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

// within returns the function by whose end all of the objects are out of reach: the outermost.
func (s *seen) within(lives []life) function {
	if len(lives) == 0 {
		return s.functions[s.own[0]-1]
	}
	l := slices.MinFunc(lives, func(a, b life) int { return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Died, b.Died)) })
	return s.functions[l.Died-1]
}

// wait is the mean of how many operations passed until the collector freed an object by itself.
func (s *seen) wait() float64 {
	if s.freed == 0 {
		return -1
	}
	return float64(s.waited) / float64(s.freed)
}

// last is the access that most of those objects have as their last one that live longest.
func (s *seen) last(lives []life) Access {
	zone := 0
	for _, l := range lives {
		if l.Touch != 0 {
			zone = max(zone, l.Zone)
		}
	}
	counts := map[Access]int{}
	for _, l := range lives {
		if l.Touch != 0 && l.Zone == zone {
			counts[s.access(l, l.Touch)]++
		}
	}
	var best Access
	for a, n := range counts {
		if c := cmp.Or(cmp.Compare(n, counts[best]), cmp.Compare(best.Line.String(), a.Line.String()), cmp.Compare(best.Via, a.Via)); c > 0 {
			best = a
		}
	}
	return best
}

// access is the access with a stack, as the user's code sees it.
func (s *seen) access(l life, stack int) Access {
	frames := l.stacks[stack]
	a := Access{Write: l.Wrote}
	if stack != l.Touch {
		a.Write = l.OtherWrote
	}
	for i, f := range frames {
		if !s.mine(f.File) {
			continue
		}
		a.Line, a.Func = Line{f.File, f.Line}, f.Func
		if i > 0 {
			a.Via = frames[i-1].Func
		}
		return a
	}
	if len(frames) > 0 {
		a.Line, a.Func = Line{frames[0].File, frames[0].Line}, frames[0].Func
	}
	return a
}

func (s *seen) mine(file string) bool {
	for _, r := range s.roots {
		if rest, ok := strings.CutPrefix(file, r+string(filepath.Separator)); ok && !strings.HasPrefix(rest, "vendor"+string(filepath.Separator)) {
			return true
		}
	}
	return false
}

// touched says where the last access is.
func touched(a Access, lives []life) string {
	zone := 0
	for _, l := range lives {
		if l.Touch != 0 {
			zone = max(zone, l.Zone)
		}
	}
	if a.Line == (Line{}) {
		return "no access was seen"
	}
	when := [...]string{"in the function that made it", "in the call that made it", "after that call", "in a later operation"}[zone]
	return fmt.Sprintf("the last access that is seen is %s: %s", when, a)
}

func find(lives []life, is func(life) bool) (life, bool) {
	i := slices.IndexFunc(lives, is)
	if i < 0 {
		return life{}, false
	}
	return lives[i], true
}
