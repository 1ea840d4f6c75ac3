// Package rank says what results mean for an arm over all its benchmarks and cells:
// its verdict, its place among the others, and whether it pays.
package rank

import (
	"cmp"
	"math"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Arm is a candidate over all its benchmarks and cells.
type Arm struct {
	Name, Baseline string
	Verdict        study.Verdict
	Isolated       bool // nothing but isolated benchmarks speaks for the verdict
	Failed         int  // results in which the arm fails: whatever the others say, it is not recommended
	Results        []study.Result
}

// Mixed is the verdict of an arm over several benchmarks, better in one and worse in
// another. A trade-off is within one benchmark.
const Mixed study.Verdict = "mixed"

// Order has the verdicts from the one to take to the one to leave.
var Order = []study.Verdict{study.Positive, study.TradeOff, Mixed, study.NoChange, study.Inconclusive, study.DiffersByMachine, study.Negative,
	study.Invalid, study.Unsafe, study.NotMeasured}

// Arms sorts the arms of results: by verdict, then by the change of time, then of
// bytes. What only isolated benchmarks speak for comes after what others do.
func Arms(rs []study.Result) []Arm {
	var out []Arm
	for _, r := range rs {
		i := slices.IndexFunc(out, func(a Arm) bool { return a.Name == r.Arm && a.Baseline == r.Baseline })
		if i < 0 {
			i = len(out)
			out = append(out, Arm{Name: r.Arm, Baseline: r.Baseline})
		}
		out[i].Results = append(out[i].Results, r)
	}
	for i := range out {
		out[i].judge()
	}
	slices.SortStableFunc(out, func(a, b Arm) int {
		return cmp.Or(
			cmp.Compare(a.place(), b.place()),
			cmp.Compare(a.mean(TimeRatio), b.mean(TimeRatio)),
			cmp.Compare(a.mean(byteRatio), b.mean(byteRatio)),
		)
	})
	return out
}

// judge sets the verdict over all benchmarks: isolated ones count only where
// there is no other, for they never decide alone.
func (a *Arm) judge() {
	var all, whole []study.Verdict
	for _, r := range a.Results {
		if r.Failed != nil && r.Failed.Side == "candidate" {
			a.Failed++
		}
		all = append(all, r.Verdict)
		if !r.Isolated {
			whole = append(whole, r.Verdict)
		}
	}
	a.Verdict = overall(whole)
	if a.Verdict == study.NotMeasured || a.Verdict == study.Invalid {
		if v := overall(all); v != a.Verdict {
			a.Verdict, a.Isolated = v, v != study.Unsafe
		}
	}
}

// overall combines the verdicts of one arm on several benchmarks: the worst of
// those that say something, except that better here and worse there is mixed, and
// that no change beside an improvement takes nothing away.
func overall(vs []study.Verdict) study.Verdict {
	has := func(v study.Verdict) bool { return slices.Contains(vs, v) }
	if has(study.Negative) && has(study.Positive) && !has(study.Unsafe) {
		return Mixed
	}
	for _, v := range []study.Verdict{study.Unsafe, study.Negative, study.TradeOff, study.DiffersByMachine, study.Inconclusive,
		study.Positive, study.NoChange, study.Invalid} {
		if has(v) {
			return v
		}
	}
	return study.NotMeasured
}

func (a Arm) place() int {
	p := 2 * slices.Index(Order, a.Verdict)
	if a.Failed > 0 {
		return 2*slices.Index(Order, study.Unsafe) + 1 + p // after all that can be used
	}
	if a.Isolated && a.Verdict == study.Positive {
		// An improvement that no realistic benchmark shows ranks after what
		// changes nothing there.
		return 2*slices.Index(Order, study.NoChange) + 1
	}
	return p
}

// mean averages a log ratio over the rows that decide, and over all of them
// where none does.
func (a Arm) mean(ratio func(study.Result) (float64, bool)) float64 {
	var sum, n, isolatedSum, isolatedN float64
	for _, r := range a.Results {
		x, ok := ratio(r)
		switch {
		case !ok:
		case r.Isolated:
			isolatedSum, isolatedN = isolatedSum+x, isolatedN+1
		default:
			sum, n = sum+x, n+1
		}
	}
	switch {
	case n > 0:
		return sum / n
	case isolatedN > 0:
		return isolatedSum / isolatedN
	}
	return 0
}

// TimeRatio is the log ratio of time, where there is one.
func TimeRatio(r study.Result) (float64, bool) {
	return math.Log1p(r.Deciding.Effect), r.Timed() && r.Deciding.Effect > -1
}

// byteRatio counts from one byte on, so that a fall to nothing has a ratio.
func byteRatio(r study.Result) (float64, bool) {
	return math.Log((r.Bytes.Candidate + 1) / (r.Bytes.Baseline + 1)), r.Counted()
}

// Placed reports whether the arm has a place in the ranking.
func (a Arm) Placed() bool {
	return a.Failed == 0 && !slices.Contains([]study.Verdict{study.Invalid, study.Unsafe, study.NotMeasured}, a.Verdict)
}

// Change is the geometric mean of the changes of time that were measured by whole
// benchmarks, and their number.
func (a Arm) Change() (mean float64, n int) {
	sum := 0.0
	for _, r := range a.Results {
		if x, ok := TimeRatio(r); ok && !r.Isolated {
			sum += x
			n++
		}
	}
	return math.Expm1(sum / max(1, float64(n))), n
}
