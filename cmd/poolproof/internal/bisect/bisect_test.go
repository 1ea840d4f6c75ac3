package bisect

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// history has revisions, and one of them changes a benchmark.
type history struct {
	at     int // the revision that has the change first
	metric Metric
	effect float64 // relative
	broken []int
	asked  [][2]int
}

func (h *history) compare(base, head int, _ float64) (study.Result, error) {
	if slices.Contains(h.broken, head) {
		return study.Result{}, ErrBroken
	}
	h.asked = append(h.asked, [2]int{base, head})
	r := study.Result{Verdict: study.NoChange, Time: study.Same, Memory: study.Same, Allocs: study.Counter{Baseline: 10, Candidate: 10, Equal: true}, Bytes: study.Counter{Baseline: 10, Candidate: 10, Equal: true}}
	if base >= h.at || head < h.at {
		return r, nil
	}
	r.Verdict = study.Negative
	switch h.metric {
	case Time:
		r.Time, r.Deciding.Effect = study.Worse, h.effect
		if h.effect < 0 {
			r.Time, r.Verdict = study.Better, study.Positive
		}
	case Allocs:
		r.Memory, r.Allocs = study.Worse, study.Counter{Baseline: 10, Candidate: 11}
	case Bytes:
		r.Memory, r.Bytes = study.Better, study.Counter{Baseline: 10, Candidate: 5}
	}
	return r, nil
}

func TestEachRevisionIsFound(t *testing.T) {
	for _, metric := range []Metric{Time, Allocs, Bytes} {
		for _, n := range []int{1, 2, 3, 7, 64} {
			for at := 1; at <= n; at++ {
				for _, effect := range []float64{0.05, -0.3} {
					h := history{at: at, metric: metric, effect: effect}
					f, err := Search(n, h.compare)
					if err != nil || f.At != at || f.Before != at-1 || !f.Confirmed || f.Metric != metric || f.Unsure > 0 {
						t.Fatalf("%s, %d of %d: %+v, %v", metric, at, n, f, err)
					}
					if most := 2 + int(math.Ceil(math.Log2(float64(n)))); f.Comparisons > most || f.Comparisons != len(h.asked) {
						t.Errorf("%s, %d of %d: %d comparisons, more than %d", metric, at, n, f.Comparisons, most)
					}
				}
			}
		}
	}
}

func TestRevisionsThatDoNotBuildArePassedOver(t *testing.T) {
	for at := 1; at <= 16; at++ {
		h := history{at: at, metric: Allocs, broken: []int{7, 8, 9}}
		f, err := Search(16, h.compare)
		if err != nil {
			t.Fatal(err)
		}
		for i, k := range f.Skipped {
			if slices.Contains(f.Skipped[:i], k) {
				t.Errorf("%d: revision %d is built twice", at, k)
			}
		}
		if slices.Contains(f.Skipped, f.At) || len(f.Skipped) == 0 {
			t.Errorf("%d: skipped %v", at, f.Skipped)
		}
		if at < 7 || at > 10 {
			if f.At != at || f.Before != at-1 {
				t.Errorf("%d: %+v", at, f)
			}
			continue
		}
		// What lies among those that do not build is found as far as they let it.
		if f.Before != 6 || f.At != 10 || f.Confirmed {
			t.Errorf("%d: %+v", at, f)
		}
	}
	h := history{at: 3, metric: Allocs, broken: []int{16}}
	if _, err := Search(16, h.compare); !errors.Is(err, ErrBroken) {
		t.Errorf("the last one does not build: %v", err)
	}
}

func TestNothingIsFoundWhereNothingChanged(t *testing.T) {
	h := history{at: 99, metric: Time, effect: 0.1}
	if f, err := Search(16, h.compare); !errors.Is(err, ErrNoChange) || f.Comparisons != 1 {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestWhatTheRuleDoesNotDecideIsNamed(t *testing.T) {
	h := history{at: 5, metric: Time, effect: 0.1}
	f, err := Search(16, func(base, head int, threshold float64) (study.Result, error) {
		r, err := h.compare(base, head, threshold)
		if base == 0 && head < 16 {
			r.Time = study.Unresolved
		}
		if head < 16 && math.Abs(threshold-math.Expm1(math.Log1p(0.1)/2)) > 1e-12 {
			t.Errorf("threshold %g", threshold)
		}
		return r, err
	})
	if err != nil || f.At != 5 || f.Unsure == 0 || !f.Confirmed {
		t.Errorf("%+v, %v", f, err)
	}
}
