// Package history reads the runs that try -keep has kept, and tells what became of each
// benchmark over revisions. It measures nothing.
package history

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Dirty marks a revision of a working tree that differed from its commit.
const Dirty = "+"

// Keep writes the verdict of a comparison of revisions into a folder, which it makes, and
// returns the file's name.
func Keep(dir string, v study.VerdictFile) (string, error) {
	if v.Plan.Kind != study.KindBase {
		return "", errors.New("only a comparison of revisions has a place in a history")
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	pkg := strings.NewReplacer("/", "-", ":", "-").Replace(v.Plan.Package)
	name := filepath.Join(dir, fmt.Sprintf("%s-%s-%s.json", v.Started.UTC().Format("20060102-150405"), Short(headOf(v.Plan)), pkg))
	return name, study.WriteVerdict(name, v)
}

// History is the content of a folder of runs.
type History struct {
	Lines    []Line
	Runs     int
	Refused  []string // files that are not used, and why
	Machines []string // processors that measured, each once
}

// Line is one benchmark in one cell, over time.
type Line struct {
	Package, Benchmark string
	Cell               []string
	Points             []Point // oldest first
	Since              *Point  // where it became what it is; nil: it is as it was, or that is not known
	Now                study.Class
}

// Point is one comparison of two revisions.
type Point struct {
	study.Result
	When       time.Time
	Base, Head string // commits; Head ends in Dirty where the tree differed
	// Root is the revision at which the chain of comparisons begins, Chained the effect
	// from there to Head: zero Launches where there is no time.
	Root    string
	Chained study.Estimate
	Band    float64 // log ratio
}

// Read reads all runs of a folder that were judged by one version of the rule. A run that was
// judged by another one is refused, and named: its effects are not those of this one.
func Read(dir string, rule int) (History, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return History{}, err
	}
	if _, err := os.Stat(dir); err != nil {
		return History{}, err
	}
	var h History
	var files []kept
	for _, name := range names {
		v, err := study.ReadVerdict(name)
		switch {
		case err != nil:
			h.Refused = append(h.Refused, err.Error())
			continue
		case v.Plan.Kind != study.KindBase:
			h.Refused = append(h.Refused, name+": it is no comparison of revisions")
			continue
		case v.Judged != rule:
			h.Refused = append(h.Refused, fmt.Sprintf("%s: judged by version %d of the rule, this program judges by version %d; judge its run again with try -judge and keep that, or remove it", name, v.Judged, rule))
			continue
		}
		files = append(files, kept{v, name})
	}
	h.Runs = len(files)
	slices.SortStableFunc(files, func(a, b kept) int { return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.name, b.name)) })
	index := map[string]int{}
	for _, f := range files {
		if cpu := f.Plan.Machine.CPU; !slices.Contains(h.Machines, cpu) {
			h.Machines = append(h.Machines, cpu)
		}
		for _, r := range f.Results {
			key := strings.Join(append([]string{f.Plan.Package, r.Benchmark}, r.Cell...), "\x00")
			i, ok := index[key]
			if !ok {
				i = len(h.Lines)
				index[key] = i
				h.Lines = append(h.Lines, Line{Package: f.Plan.Package, Benchmark: r.Benchmark, Cell: r.Cell})
			}
			h.Lines[i].Points = append(h.Lines[i].Points, f.point(r))
		}
	}
	for i := range h.Lines {
		h.Lines[i].chain()
	}
	return h, nil
}

// kept is a verdict with its file.
type kept struct {
	study.VerdictFile
	name string
}

func (f kept) point(r study.Result) Point {
	band := f.Plan.Rule.Band
	if f.Rule != nil {
		band = f.Rule.Band
	}
	return Point{Result: r, When: f.Started, Base: f.Plan.Base, Head: headOf(f.Plan), Band: band}
}

// headOf names the later revision of a plan.
func headOf(p study.Plan) string {
	if p.Dirty {
		return p.Revision + Dirty
	}
	return p.Revision
}

// Short is the beginning of a revision, with its mark.
func Short(rev string) string {
	hash, dirty := strings.CutSuffix(rev, Dirty)
	hash = hash[:min(8, len(hash))]
	if dirty {
		hash += Dirty
	}
	return hash
}

// level is where a revision stands on the scale of its chain.
type level struct {
	root        string
	mean, half2 float64 // log ratio, and the square of the half-width of its interval
	launches    int
}

// chain adds the effects up along the revisions: that of a comparison whose base is the head of
// an earlier one begins where that ended. Intervals are of independent launches, so the squares
// of their half-widths add up.
func (l *Line) chain() {
	at := map[string]level{}
	for i := range l.Points {
		p := &l.Points[i]
		from, ok := at[p.Base]
		if !ok {
			from = level{root: p.Base}
			at[p.Base] = from
		}
		p.Root = from.root
		e := p.Deciding
		if !p.Timed() || e.Launches < 2 {
			continue // a new chain begins after it
		}
		width := (math.Log1p(e.Hi) - math.Log1p(e.Lo)) / 2
		to := level{root: from.root, mean: from.mean + math.Log1p(e.Effect), half2: from.half2 + width*width, launches: from.launches + e.Launches}
		at[p.Head] = to
		half := math.Sqrt(to.half2)
		p.Chained = study.Estimate{
			Effect: math.Expm1(to.mean), Lo: math.Expm1(to.mean - half), Hi: math.Expm1(to.mean + half), Launches: to.launches,
			Class: classify(to.mean, half, p.Band),
		}
	}
	l.since()
}

// classify is the class of an effect with its interval, as of one comparison.
func classify(mean, half, band float64) study.Class {
	switch {
	case mean-half > 0 && mean > band:
		return study.Worse
	case mean+half < 0 && mean < -band:
		return study.Better
	case mean-half >= -band && mean+half <= band:
		return study.Same
	}
	return study.Unresolved
}

// since finds the point from which on the chain of the last point has been what it is now:
// one step, or the sum of several that are too small to be seen.
func (l *Line) since() {
	var last *Point
	for i := len(l.Points) - 1; i >= 0; i-- {
		p := &l.Points[i]
		switch {
		case p.Chained.Launches == 0, last != nil && p.Root != last.Root:
			continue
		case last == nil:
			last, l.Now = p, p.Chained.Class
		}
		if p.Chained.Class != l.Now || l.Now != study.Worse && l.Now != study.Better {
			return
		}
		l.Since = p
	}
}
