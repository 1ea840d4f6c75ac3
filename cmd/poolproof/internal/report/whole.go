package report

import (
	"fmt"
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// whole is an arm over all its benchmarks: the verdict of the whole, and the
// geometric mean of the changes of time that were measured.
type whole struct {
	alternative
	mean     float64 // geometric mean of candidate/baseline, as a change
	measured int     // rows in the mean
}

// wholes sums up each arm that has several comparisons, best first.
func wholes(rs []row) []whole {
	var list []whole
	for _, a := range ranked(rs) {
		w := whole{alternative: a}
		sum := 0.0
		for _, r := range a.rows {
			if x, ok := timeRatio(r); ok && !r.plan.Isolated {
				sum += x
				w.measured++
			}
		}
		if w.measured < 2 || w.arm == w.baseline { // -aa compares each benchmark with itself
			continue
		}
		w.mean = math.Expm1(sum / float64(w.measured))
		list = append(list, w)
	}
	return list
}

// String is "pool against make: time -12.3 % in the geometric mean of 5".
func (w whole) String() string {
	s := fmt.Sprintf("%s against %s: time %s %% in the geometric mean of %s", w.arm, w.baseline, percent(w.mean), plural(w.measured, "comparison", "comparisons"))
	if w.failed > 0 {
		s += fmt.Sprintf("; it fails in %d of %d", w.failed, len(w.rows))
	}
	if open := w.open(); open > 0 {
		s += fmt.Sprintf("; %d not decided", open)
	}
	return s
}

// open counts the comparisons without a decision.
func (w whole) open() int {
	n := 0
	for _, r := range w.rows {
		if r.Verdict == study.Inconclusive {
			n++
		}
	}
	return n
}
