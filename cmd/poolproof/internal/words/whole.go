package words

import (
	"fmt"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat/rank"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Whole is an arm over all its benchmarks: the verdict of the whole, and the
// geometric mean of the changes of time that were measured.
type Whole struct {
	rank.Arm
	mean     float64 // geometric mean of candidate/baseline, as a change
	measured int     // results in the mean
}

// Wholes sums up each arm that has several comparisons, best first.
func Wholes(rs []study.Result) []Whole {
	var list []Whole
	for _, a := range rank.Arms(rs) {
		w := Whole{Arm: a}
		w.mean, w.measured = a.Change()
		if w.measured >= 2 && a.Name != a.Baseline { // -aa compares each benchmark with itself
			list = append(list, w)
		}
	}
	return list
}

// String is "pool against make: time -12.3 % in the geometric mean of 5".
func (w Whole) String() string {
	s := fmt.Sprintf("%s against %s: time %s %% in the geometric mean of %s", w.Name, w.Baseline, Percent(w.mean), Plural(w.measured, "comparison", "comparisons"))
	if w.Failed > 0 {
		s += fmt.Sprintf("; it fails in %d of %d", w.Failed, len(w.Results))
	}
	open := 0
	for _, r := range w.Results {
		if r.Verdict == study.Inconclusive {
			open++
		}
	}
	if open > 0 {
		s += fmt.Sprintf("; %d not decided", open)
	}
	return s
}
