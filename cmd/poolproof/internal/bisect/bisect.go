// Package bisect finds the revision at which a benchmark changed, by few comparisons of
// revisions. What a comparison costs and says is the caller's.
package bisect

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Compare compares two revisions; head is the later one. threshold is practical
// equality, a share; 0: that of the rule. ErrBroken says that head does not build.
type Compare func(base, head int, threshold float64) (study.Result, error)

// ErrBroken is the error of a revision that cannot be measured. Another one is asked in its
// place.
var ErrBroken = errors.New("the revision cannot be measured")

// Metric is the figure that changed.
type Metric string

// The metrics, in the order in which they are looked at: counts are exact.
const (
	Allocs Metric = "allocs/op"
	Bytes  Metric = "B/op"
	Time   Metric = "time"
)

// Found is the outcome of a search.
type Found struct {
	Metric      Metric
	Whole       study.Result // first against last
	Before, At  int          // the change is after Before, and in At or before it
	Step        study.Result // At against Before; zero where they are not neighbours
	Confirmed   bool         // Step shows a change of the same kind and direction
	Comparisons int          // that were judged
	Unsure      int          // of them decided by the mean alone: the budget ended before the rule decided
	Skipped     []int        // revisions that cannot be measured
}

// ErrNoChange is the error of revisions between which nothing changed.
var ErrNoChange = errors.New("there is no change to be found")

// Search finds the change between the revisions 0 and n. It compares them first; then halves
// the way, each time asking whether the first half has the change: is the effect since revision
// 0 nearer to none or to the whole? In the end it compares the revision that it found with the one
// before. That makes 2 + log2(n) comparisons.
func Search(n int, compare Compare) (Found, error) {
	f := Found{At: n}
	s := search{Found: &f, compare: compare}
	whole, err := s.ask(0, n, 0)
	if err != nil {
		return f, err
	}
	f.Whole = whole
	if f.Metric = metricOf(whole); f.Metric == "" {
		return f, fmt.Errorf("%w: the last revision is %s against the first", ErrNoChange, whole.Verdict)
	}
	for f.At-f.Before > 1 {
		mid, r, err := s.halve()
		if err != nil {
			return f, err
		}
		if mid < 0 {
			return f, nil // none of those between can be measured
		}
		if s.has(r) {
			f.At = mid
		} else {
			f.Before = mid
		}
	}
	if f.Before == 0 && f.At == n { // the whole is the step
		f.Step, f.Confirmed = whole, true
		return f, nil
	}
	if f.Step, err = s.ask(f.Before, f.At, s.threshold()); err != nil {
		return f, err
	}
	f.Confirmed = s.has(f.Step)
	return f, nil
}

// metricOf returns the metric that a comparison says has changed; "" for none.
func metricOf(r study.Result) Metric {
	moved := func(c study.Counter) bool { return !c.Equal && !c.Unsteady }
	switch {
	case r.Memory != study.Same && moved(r.Allocs):
		return Allocs
	case r.Memory != study.Same && moved(r.Bytes):
		return Bytes
	case r.Time == study.Better || r.Time == study.Worse:
		return Time
	}
	return ""
}

// search is a search on its way.
type search struct {
	*Found
	compare Compare
}

func (s *search) ask(base, head int, threshold float64) (study.Result, error) {
	r, err := s.compare(base, head, threshold)
	if err == nil {
		s.Comparisons++
	}
	return r, err
}

// threshold is half of the whole effect of time: what is beyond it has the change, and what
// is within it has not. 0, the rule's own, for counts.
func (s *search) threshold() float64 {
	if s.Metric != Time {
		return 0
	}
	return math.Expm1(math.Abs(s.effect(s.Whole)) / 2)
}

// halve compares the middle of what is left with the first revision. Where that cannot be
// measured, its neighbours are asked; mid is -1 where none can.
func (s *search) halve() (mid int, r study.Result, err error) {
	middle := (s.Before + s.At) / 2
	for d := 0; ; d++ {
		below, above := middle-d, middle+d
		if below <= s.Before && above >= s.At {
			return -1, r, nil
		}
		for _, i := range []int{below, above} {
			if i <= s.Before || i >= s.At || slices.Contains(s.Skipped, i) {
				continue
			}
			r, err = s.ask(0, i, s.threshold())
			if errors.Is(err, ErrBroken) {
				s.Skipped = append(s.Skipped, i)
				continue
			}
			return i, r, err
		}
	}
}

// has reports whether a comparison shows the change.
func (s *search) has(r study.Result) bool {
	if s.Metric == Time {
		switch want := s.Whole.Time; r.Time {
		case want:
			return true
		case study.Same, study.Better, study.Worse: // the other way round is no change of this kind
			return false
		case study.NotWorse:
			if want == study.Worse {
				return false
			}
		}
		s.Unsure++
	}
	return math.Abs(s.effect(r)-s.effect(s.Whole)) < math.Abs(s.effect(r))
}

// effect is the change of the metric in a comparison: a log ratio for time, else a difference.
func (s *search) effect(r study.Result) float64 {
	switch s.Metric {
	case Allocs:
		return r.Allocs.Candidate - r.Allocs.Baseline
	case Bytes:
		return r.Bytes.Candidate - r.Bytes.Baseline
	}
	return math.Log1p(r.Deciding.Effect)
}
