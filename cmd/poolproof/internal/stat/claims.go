package stat

import (
	"math"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Claims checks what a study says was published against results. A claim
// speaks of an arm on a benchmark; the cell that it names answers it, or else
// the first of the results. band is practical equality as a log ratio.
func Claims(f study.File, results []study.Result, band float64) []study.ClaimResult {
	isolated := map[string]bool{}
	for _, b := range f.Benchmarks {
		isolated[b.Name] = b.Isolated
	}
	var out []study.ClaimResult
	for _, c := range f.Claims {
		res := claim(c, results, band)
		res.Isolated = isolated[c.Benchmark]
		out = append(out, res)
	}
	return out
}

func claim(c study.Claim, results []study.Result, band float64) study.ClaimResult {
	res := study.ClaimResult{
		Text: c.Text, Benchmark: c.Benchmark, Arm: c.Arm, Metric: c.Metric,
		Published: c.Published, Size: c.Size, NoSize: c.NoSize, Within: c.Within, Outcome: study.NotJudgeable,
	}
	r, why := answer(c, c.Cell, results)
	if why != nil {
		if why.Code == study.ClaimNoCell {
			res.Cell = strings.Fields(c.Cell)
		}
		res.Because = why
		return res
	}
	res.Cell = r.Cell
	res.Finding, res.Because = find(c.Metric, r)
	if c.Beside != "" && res.Finding != nil {
		res.Beside = strings.Fields(c.Beside)
		other, why := answer(c, c.Beside, results)
		if why == nil {
			res.Beside = other.Cell
			var f *study.ClaimFinding
			if f, why = find(c.Metric, other); why == nil {
				f, why = beside(*res.Finding, *f, c.Metric, band)
			}
			res.Finding = f
		}
		if why != nil {
			res.Finding, res.Because, res.Cell = nil, why, res.Beside
		}
	}
	if res.Finding != nil {
		res.Outcome = outcome(c, *res.Finding, higherIsBetter(c.Metric, r), band)
	}
	return res
}

// answer is the result that a claim speaks of, in a cell of its benchmark.
func answer(c study.Claim, cell string, results []study.Result) (study.Result, *study.Reason) {
	why := study.ClaimNotCompared
	for _, r := range results {
		if r.Arm != c.Arm || r.Benchmark != c.Benchmark {
			continue
		}
		if study.Holds(r.Cell, cell) {
			return r, nil
		}
		why = study.ClaimNoCell
	}
	return study.Result{}, &study.Reason{Code: why}
}

// beside is how many times the ratio of one cell is that of another. The two were
// measured apart, so the squares of what their intervals leave open add up.
func beside(here, there study.ClaimFinding, metric string, band float64) (*study.ClaimFinding, *study.Reason) {
	a, b := here.Estimate, there.Estimate
	if a == nil || b == nil || a.Launches < 2 || b.Launches < 2 || min(a.Lo, b.Lo) <= -1 {
		return nil, &study.Reason{Code: study.ClaimNotMeasured, Unit: metric}
	}
	d, lo, hi := difference(*a, *b)
	class := study.Unresolved
	switch {
	case hi < -band:
		class = study.Better
	case lo > band:
		class = study.Worse
	case lo >= -band && hi <= band:
		class = study.Same
	}
	e := study.Estimate{Effect: math.Expm1(d), Lo: math.Expm1(lo), Hi: math.Expm1(hi), Launches: min(a.Launches, b.Launches), Class: class}
	return &study.ClaimFinding{Class: class, Estimate: &e}, nil
}

// find is the figure of a metric in a result, or why there is none.
func find(metric string, r study.Result) (*study.ClaimFinding, *study.Reason) {
	switch r.Verdict {
	case study.Invalid, study.NotMeasured, study.Unsafe:
		return nil, &study.Reason{Code: study.ClaimNoVerdict, Text: string(r.Verdict), Because: r.Reasons[:min(1, len(r.Reasons))]}
	}
	estimate := func(class study.Class, e study.Estimate, by study.Estimator) *study.ClaimFinding {
		if e.Launches == 0 {
			return nil
		}
		return &study.ClaimFinding{Class: class, Estimator: by, Estimate: &e}
	}
	var f *study.ClaimFinding
	switch metric {
	case "time":
		f = estimate(r.Time, r.Deciding, r.Estimator)
	case "cpu":
		f = estimate(cpuOf(r))
	case bytesPerOp:
		f = counterFinding(r.Bytes, 8) // the smallest object has 8 bytes
	case allocsPerOp:
		f = counterFinding(r.Allocs, 1)
	default:
		for _, m := range r.Metrics {
			if m.Unit == metric {
				if m.Why != nil {
					return nil, m.Why
				}
				f = metricFinding(m)
			}
		}
	}
	if f == nil {
		return nil, &study.Reason{Code: study.ClaimNotMeasured, Unit: metric}
	}
	return f, nil
}

// cpuOf is the estimate of CPU time that goes with the one that decided. Its
// class is not guarded where wall time decided: it was looked at once.
func cpuOf(r study.Result) (study.Class, study.Estimate, study.Estimator) {
	if r.Estimator.Clock == study.CPU {
		return r.Time, r.Deciding, r.Estimator
	}
	e := r.CPU()
	return e.Class, e, study.Estimator{Kind: r.Estimator.Kind, Clock: study.CPU}
}

// counterFinding is an exact count, which decides a claim about counts whatever
// the tolerance of a verdict: 8 allocations of 5,731 are no reason to pool, and
// yet they are gone. smallest is the least that a program can save.
func counterFinding(c study.Counter, smallest float64) *study.ClaimFinding {
	class := study.Same
	moved := !c.Equal || c.Moved && math.Abs(c.Candidate-c.Baseline) >= smallest
	switch {
	case c.Unsteady:
		class = study.Unresolved
	case moved && c.Candidate < c.Baseline:
		class = study.Better
	case moved:
		class = study.Worse
	}
	return &study.ClaimFinding{Class: class, Counter: &c}
}

func metricFinding(m study.MetricResult) *study.ClaimFinding {
	f := &study.ClaimFinding{Class: m.Class, Counter: &study.Counter{Baseline: m.Baseline, Candidate: m.Candidate, Equal: m.Class == study.Same, Unsteady: m.Class == study.Unresolved}}
	if m.Estimate.Launches > 0 {
		f.Estimate = &m.Estimate
	}
	return f
}

// higherIsBetter reports whether more of a metric is better: its class then
// goes against its number.
func higherIsBetter(unit string, r study.Result) bool {
	for _, m := range r.Metrics {
		if m.Unit == unit && m.Candidate != m.Baseline && resolved(m.Class) && m.Class != study.Same {
			return (m.Candidate > m.Baseline) == (m.Class == study.Better)
		}
	}
	return false
}

// outcome compares a figure with what a claim says of it.
func outcome(c study.Claim, f study.ClaimFinding, higher bool, band float64) study.Outcome {
	size, err := study.ParseSize(c.Size)
	if c.Size == "" || err != nil { // a plan's study file was checked
		return unsized(c.Class, f)
	}
	within, err := study.ParseWithin(c.Within)
	if err != nil {
		within = 1
	}
	if f.Estimate == nil && !resolved(f.Class) {
		return study.NotJudgeable // launches do not agree on the count
	}
	lo, hi, none, known := claimInterval(f, size.Kind)
	if !known {
		return unsized(c.Class, f)
	}
	size = size.Widen(within)
	excluded := size.Hi < lo || size.Lo > hi
	claimed, found := size.Value > none, f.Class
	if size.Kind == study.SizeReached {
		claimed = (c.Class == study.Worse) != higher
	}
	if higher && (found == study.Better || found == study.Worse) {
		found = map[study.Class]study.Class{study.Better: study.Worse, study.Worse: study.Better}[found]
	}
	rises, falls := found == study.Worse, found == study.Better
	if f.Estimate != nil && !resolved(found) {
		// The verdict is open: nothing is made of an end of the interval that is
		// closer to no effect than practical equality.
		margin := math.Exp(band)
		excluded = size.Hi < lo/margin || size.Lo > hi*margin
		rises, falls = lo > margin, hi < 1/margin
	}
	switch {
	case rises && claimed, falls && !claimed:
		switch {
		case excluded:
			return study.OtherSize
		case resolved(found):
			return study.Reproduced
		}
		return study.NotJudgeable
	case rises, falls:
		if f.Estimate == nil && f.Counter.Equal {
			return study.NotReproduced // what is within the tolerance is the opposite of nothing
		}
		if resolved(found) || excluded {
			return study.Opposite
		}
		return study.NotJudgeable
	case excluded:
		return study.NotReproduced
	case resolved(found) && f.Estimate != nil && (lo > none && claimed || hi < none && !claimed):
		return study.Reproduced // smaller than practical equality, and yet told from none
	}
	return study.NotJudgeable
}

// unsized judges a claim without a size.
func unsized(claimed study.Class, f study.ClaimFinding) study.Outcome {
	found := f.Class
	switch {
	case !resolved(found):
		return study.NotJudgeable
	case found == claimed:
		return study.Reproduced
	case claimed == study.Same || found == study.Same || f.Estimate == nil && f.Counter.Equal:
		return study.NotReproduced
	}
	return study.Opposite
}

// claimInterval is the interval of a finding in the terms of a size, and what no effect
// is in them. A count is its own interval. known is false where there is no
// such number: one launch has no interval, nothing has no ratio.
func claimInterval(f study.ClaimFinding, kind study.SizeKind) (lo, hi, none float64, known bool) {
	switch {
	case f.Estimate != nil:
		if kind != study.SizePercent && kind != study.SizeTimes || f.Estimate.Launches < 2 {
			return 0, 0, 0, false
		}
		return 1 + f.Estimate.Lo, 1 + f.Estimate.Hi, 1, true
	case kind == study.SizeDifference:
		d := f.Counter.Candidate - f.Counter.Baseline
		return d, d, 0, true
	case kind == study.SizeReached:
		return f.Counter.Candidate, f.Counter.Candidate, f.Counter.Baseline, true
	case f.Counter.Baseline > 0:
		ratio := f.Counter.Candidate / f.Counter.Baseline
		return ratio, ratio, 1, true
	}
	return 0, 0, 0, false
}
