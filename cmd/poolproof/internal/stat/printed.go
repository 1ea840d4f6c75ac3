package stat

import (
	"maps"
	"math"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// drift is the log ratio by which the time of the same program may differ between
// two benchmark files because one was made after the other. In the laboratory's 80
// comparisons of a benchmark with itself by go test -count=10 on an otherwise idle
// machine, the greatest was 13 % (records/campaign-rule2.jsonl). No file tells how
// busy its machine was.
var drift = math.Log(1.15)

// Printed judges one benchmark of two Go benchmark files: what the lines can tell.
//
// Allocations are counted, and no matter when. Time is another thing: nothing is
// paired, nothing has another layout, and the machine may have changed between the
// files. So the interval of time allows for a drift, and time has at most the class
// "not worse", unless it moves beyond the factor that no layout and no drift makes.
// Verdicts are then those of the table. elsewhere, if not empty, says in what the
// machines of the files differ; then time is not compared.
func Printed(rule study.Rule, baseline, candidate study.Printed, elsewhere string) study.Result {
	sides := [2]study.Printed{baseline, candidate}
	res := study.Result{
		Comparison: candidate.Name, Benchmark: candidate.Name, Sequential: true, Foreign: -1,
		Launches: len(baseline.N) + len(candidate.N),
	}
	memory, bytesFell := memoryPrinted(&res, rule, sides)
	time := timePrinted(&res, rule, sides, elsewhere)
	res.Verdict = Verdict(res.Time, res.Memory, bytesFell)
	res.Reasons = []study.Reason{memory, time}
	res.Extra = extraPrinted(sides)
	return res
}

// memoryPrinted judges the counters.
func memoryPrinted(res *study.Result, rule study.Rule, sides [2]study.Printed) (why study.Reason, bytesFell bool) {
	for i, p := range sides {
		if len(p.Bytes) == 0 || len(p.Allocs) == 0 {
			res.Memory = study.Unresolved
			return study.Reason{Code: study.ReasonNoMemory, Side: study.Side(i).String()}, false
		}
	}
	allocs := countPrinted(sides, 1, func(p study.Printed) []float64 { return p.Allocs })
	bytes := countPrinted(sides, 512, func(p study.Printed) []float64 { return p.Bytes })
	res.Allocs, res.Bytes = allocs.counter(), bytes.counter()
	res.Memory, bytesFell = memoryClass(rule, allocs, bytes)
	return study.Reason{Code: study.ReasonMemory}, bytesFell
}

// countPrinted is a counter of all lines. Lines are not paired: where the least and
// the greatest of the sides overlap, they do not agree that it moved.
func countPrinted(sides [2]study.Printed, stray float64, column func(study.Printed) []float64) count {
	c := count{typical: [2]float64{math.NaN(), math.NaN()}, integers: true}
	var least, most [2]float64
	fewest := math.Inf(1)
	for i, p := range sides {
		values := slices.Clone(column(p))
		least[i], most[i] = slices.Min(values), slices.Max(values)
		c.integers = c.integers && least[i] == most[i] && least[i] == math.Trunc(least[i])
		fewest = min(fewest, float64(slices.Min(p.N)))
		c.typical[i] = medianInPlace(values)
	}
	c.baseline, c.candidate = c.typical[0], c.typical[1]
	c.stray = stray / fewest
	c.unsteady = !c.integers && least[0] <= most[1] && least[1] <= most[0]
	return c
}

// timePrinted judges time.
func timePrinted(res *study.Result, rule study.Rule, sides [2]study.Printed, elsewhere string) study.Reason {
	res.Time = study.Unresolved
	logs, lines := logsPrinted(sides)
	switch {
	case elsewhere != "":
		return study.Reason{Code: study.ReasonPrintedElsewhere, Text: elsewhere}
	case len(logs[0]) == 0 || len(logs[1]) == 0:
		return study.Reason{Code: study.ReasonClockTooCoarse}
	case len(logs[0]) < 2 || len(logs[1]) < 2:
		res.BaselineTime, res.CandidateTime = math.Exp(mean(logs[0])), math.Exp(mean(logs[1]))
		return study.Reason{Code: study.ReasonPrintedOnce}
	}
	iv := welch(logs[0], logs[1], rule.Alpha).widen(drift)
	switch {
	case beyond(welch(logs[0], logs[1], rule.ScreenAlpha).widen(drift), rule.LayoutBound):
		res.Time = iv.classify(rule.Band)
	case iv.hi <= rule.Band:
		res.Time = study.NotWorse
	}
	res.Estimator = study.Estimator{Kind: study.Lines, Clock: study.Wall}
	res.Deciding = estimate(decision{interval: iv, class: res.Time}, math.NaN())
	res.BaselineTime = math.Exp(mean(logs[0]))
	res.CandidateTime = res.BaselineTime * (1 + res.Deciding.Effect)
	e := res.Deciding
	return study.Reason{
		Code: study.ReasonPrinted, Class: res.Time, Estimate: &e, Alone: lines, Share: math.Expm1(drift), Bound: math.Exp(rule.LayoutBound),
		Counts: &[2]int{len(logs[0]), len(logs[1])},
	}
}

// logsPrinted are the logarithms of the times that are the units of the statistics:
// the median of each process, or, where a side has one process, the lines. Lines
// without a time are left out.
func logsPrinted(sides [2]study.Printed) (logs [2][]float64, lines bool) {
	var byProcess [2]map[int][]float64
	for i, p := range sides {
		byProcess[i] = map[int][]float64{}
		for k, t := range p.Time {
			if t > 0 {
				byProcess[i][p.Process[k]] = append(byProcess[i][p.Process[k]], math.Log(t))
			}
		}
	}
	lines = min(len(byProcess[0]), len(byProcess[1])) < 2
	for i, m := range byProcess {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if lines {
				logs[i] = append(logs[i], m[k]...)
			} else {
				logs[i] = append(logs[i], medianInPlace(m[k]))
			}
		}
	}
	return logs, lines
}

// welch is the two-sided interval of the difference of two means whose deviations
// may differ. n is the smaller number of units.
func welch(a, b []float64, alpha float64) interval {
	va, vb := square(deviation(a))/float64(len(a)), square(deviation(b))/float64(len(b))
	iv := interval{n: min(len(a), len(b)), mean: mean(b) - mean(a), sd: math.Sqrt((va + vb) * float64(min(len(a), len(b))))}
	iv.lo, iv.hi = iv.mean, iv.mean
	if va+vb > 0 {
		df := square(va+vb) / (square(va)/float64(len(a)-1) + square(vb)/float64(len(b)-1))
		half := tQuantile(1-alpha/2, df) * math.Sqrt(va+vb)
		iv.lo, iv.hi = iv.mean-half, iv.mean+half
	}
	return iv
}

func square(x float64) float64 { return x * x }

// extraPrinted are the medians of the units that both sides have.
func extraPrinted(sides [2]study.Printed) map[string][2]float64 {
	var extra map[string][2]float64
	for unit, values := range sides[0].Extra {
		if others := sides[1].Extra[unit]; len(values) > 0 && len(others) > 0 {
			if extra == nil {
				extra = map[string][2]float64{}
			}
			extra[unit] = [2]float64{medianInPlace(slices.Clone(values)), medianInPlace(slices.Clone(others))}
		}
	}
	return extra
}
