package lifetime

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/record"
)

// seen sums up what all processes have shown of one site.
type seen struct {
	*watched
	own     []int // numbers of the functions of the site
	objects int   // that were allocated, followed or not
	small   int   // of them, that share a block with others
	cut     int   // of them, that were not followed to the end, as there are too many
	freed   int   // of them, by collections that were not forced
	waited  int   // operations that these lived for
	tested  []life
	later   []life // others: after their calls the collector did not run, but at the end of the run
	several string // a benchmark whose operations several goroutines begin
	blind   string // a benchmark whose operations nothing tells
}

// life is one object with the stacks of its process.
type life struct {
	record.Life
	stacks map[int][]record.Frame
}

// gather collects what there is of a site, less what benchmarks set up.
func (w *watched) gather(i int, processes []*record.Process) *seen {
	s := &seen{watched: w, own: w.of[i]}
	for _, p := range processes {
		for _, c := range p.Sites {
			if c.Site == i+1 {
				s.objects, s.small, s.cut = s.objects+c.Seen, s.small+c.Small, s.cut+c.Cut
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
			switch {
			case l.Site != i+1, ended && (!run.Ended || l.Operation == 0 && run.Operations > 0):
				continue // set-up
			case l.Run == first && l.Operation == 1 && (run.Operations > 1 || len(runs) > 1):
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

// wait is the mean of how many operations passed until the collector freed an object by itself.
func (s *seen) wait() float64 {
	if s.freed == 0 {
		return -1
	}
	return float64(s.waited) / float64(s.freed)
}

// last is the access that most of those objects have as their last one that are touched
// latest, and when that is.
func (s *seen) last(lives []life) (Access, core.Zone) {
	zone := 0
	for _, l := range lives {
		if l.Touch != 0 {
			zone = max(zone, l.Zone)
		}
	}
	counts := map[Access]int{}
	for _, l := range lives {
		if l.Touch != 0 && l.Zone == zone {
			counts[s.access(l)]++
		}
	}
	var best Access
	for a, n := range counts {
		if cmp.Or(cmp.Compare(n, counts[best]), cmp.Compare(short(best.Place), short(a.Place)), cmp.Compare(best.Via, a.Via)) > 0 {
			best = a
		}
	}
	return best, core.Zone(zone)
}

// access is the last access to an object, and other the first one by another goroutine.
func (s *seen) access(l life) Access { return s.at(l.stacks[l.Touch], l.Wrote) }
func (s *seen) other(l life) Access  { return s.at(l.stacks[l.Other], l.OtherWrote) }

// at is an access with a stack, as the user's code sees it.
func (s *seen) at(frames []record.Frame, wrote bool) Access {
	a := Access{Write: wrote}
	for i, f := range frames {
		if !s.mine(f.File) {
			continue
		}
		a.Place = profile.Place{File: f.File, Line: f.Line}
		if i > 0 {
			a.Via = frames[i-1].Func
		}
		return a
	}
	if len(frames) > 0 {
		a.Place = profile.Place{File: frames[0].File, Line: frames[0].Line}
	}
	return a
}

// mine reports whether a file is of the user's modules.
func (w *watched) mine(file string) bool {
	for _, r := range w.roots {
		if rest, ok := strings.CutPrefix(file, r+string(filepath.Separator)); ok && !strings.HasPrefix(rest, "vendor"+string(filepath.Separator)) {
			return true
		}
	}
	return false
}
