package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// alternative is an arm over all its benchmarks and cells.
type alternative struct {
	arm, baseline string
	verdict       study.Verdict
	isolated      bool // nothing but isolated benchmarks speaks for the verdict
	failed        int  // rows in which the arm fails: whatever the others say, it is not recommended
	rows          []row
}

// mixed is what an arm is over several benchmarks, better in one and worse in
// another. A trade-off is within one benchmark.
const mixed study.Verdict = "mixed"

// order of verdicts from the one to take to the one to leave.
var order = []study.Verdict{study.Positive, study.TradeOff, mixed, study.NoChange, study.Inconclusive, study.Negative,
	study.Invalid, study.Unsafe, study.NotMeasured}

// ranked sorts the arms: by verdict, then by the change of time, then of
// bytes. What only isolated benchmarks speak for comes behind what others do.
func ranked(rs []row) []alternative {
	var out []alternative
	for _, r := range rs {
		i := slices.IndexFunc(out, func(a alternative) bool { return a.arm == r.Arm && a.baseline == r.Baseline })
		if i < 0 {
			i = len(out)
			out = append(out, alternative{arm: r.Arm, baseline: r.Baseline})
		}
		out[i].rows = append(out[i].rows, r)
	}
	for i := range out {
		out[i].judge()
	}
	slices.SortStableFunc(out, func(a, b alternative) int {
		return cmp.Or(
			cmp.Compare(a.place(), b.place()),
			cmp.Compare(a.mean(timeRatio), b.mean(timeRatio)),
			cmp.Compare(a.mean(byteRatio), b.mean(byteRatio)),
		)
	})
	return out
}

// judge sets the verdict over all benchmarks: isolated ones count only where
// there is no other, for they never decide alone.
func (a *alternative) judge() {
	var all, whole []study.Verdict
	for _, r := range a.rows {
		if r.Failed != nil && r.Failed.Side == "candidate" {
			a.failed++
		}
		all = append(all, r.Verdict)
		if !r.plan.Isolated {
			whole = append(whole, r.Verdict)
		}
	}
	a.verdict = overall(whole)
	if a.verdict == study.NotMeasured || a.verdict == study.Invalid {
		if v := overall(all); v != a.verdict {
			a.verdict, a.isolated = v, v != study.Unsafe
		}
	}
}

// overall combines the verdicts of one arm on several benchmarks: the worst of
// those that say something, except that better here and worse there is mixed, and
// that no change beside an improvement takes nothing away.
func overall(vs []study.Verdict) study.Verdict {
	has := func(v study.Verdict) bool { return slices.Contains(vs, v) }
	if has(study.Negative) && has(study.Positive) && !has(study.Unsafe) {
		return mixed
	}
	for _, v := range []study.Verdict{study.Unsafe, study.Negative, study.TradeOff, study.Inconclusive,
		study.Positive, study.NoChange, study.Invalid} {
		if has(v) {
			return v
		}
	}
	return study.NotMeasured
}

func (a alternative) place() int {
	p := 2 * slices.Index(order, a.verdict)
	if a.failed > 0 {
		return 2*slices.Index(order, study.Unsafe) + 1 + p // after all that can be used
	}
	if a.isolated && a.verdict == study.Positive {
		// An improvement that no realistic benchmark shows ranks behind what
		// changes nothing there.
		return 2*slices.Index(order, study.NoChange) + 1
	}
	return p
}

// mean averages a log ratio over the rows that decide, and over all of them
// where none does.
func (a alternative) mean(ratio func(row) (float64, bool)) float64 {
	var sum, n, isolatedSum, isolatedN float64
	for _, r := range a.rows {
		x, ok := ratio(r)
		switch {
		case !ok:
		case r.plan.Isolated:
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

func timeRatio(r row) (float64, bool) {
	return math.Log1p(r.Deciding.Effect), r.timed() && r.Deciding.Effect > -1
}

// byteRatio counts from one byte on, so that a fall to nothing has a ratio.
func byteRatio(r row) (float64, bool) {
	return math.Log((r.Bytes.Candidate + 1) / (r.Bytes.Baseline + 1)), r.counted()
}

// words is the verdict as the ranking prints it.
func (a alternative) words() string {
	if a.failed > 0 {
		return fmt.Sprintf("fails in %d of %d; else %s", a.failed, len(a.rows), a.verdict)
	}
	if a.isolated {
		return string(a.verdict) + " (isolated benchmarks only)"
	}
	return string(a.verdict)
}
