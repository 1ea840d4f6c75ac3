package stat

import (
	"math"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// A figure is a metric that a benchmark reports itself, by testing.B.ReportMetric, and
// a study declares. One number a launch and side: the mean over its slices.
// Exact figures are compared as allocations are; the others by the sequential
// rule, with an interval over launches.
type figure struct {
	study.Metric
	baseline, candidate []float64 // by launch
	fewest              float64   // operations of the smallest burst
}

// figureOf collects a figure. why says, if there is nothing to judge, which
// side does not report it; absent, that no side of any launch does.
func figureOf(m study.Metric, ls []*launch) (f figure, why *study.Reason, absent bool) {
	f = figure{Metric: m, fewest: math.Inf(1)}
	missing := [2]int{}
	for _, l := range ls {
		baseline, ok := l.rec.Baseline.Extra[m.Unit]
		if !ok {
			missing[0]++
		}
		candidate, has := l.rec.Candidate.Extra[m.Unit]
		if !has {
			missing[1]++
		}
		f.baseline, f.candidate = append(f.baseline, baseline), append(f.candidate, candidate)
		f.fewest = min(f.fewest, float64(l.rec.N), float64(l.rec.Ops(study.Candidate)))
	}
	switch {
	case missing[0] == len(ls) && missing[1] == len(ls):
		return f, nil, true
	case missing[0] > 0:
		return f, &study.Reason{Code: study.ReasonNotReported, Side: "baseline", Unit: m.Unit, Counts: &[2]int{missing[0], len(ls)}}, false
	case missing[1] > 0:
		return f, &study.Reason{Code: study.ReasonNotReported, Side: "candidate", Unit: m.Unit, Counts: &[2]int{missing[1], len(ls)}}, false
	}
	return f, nil, false
}

// exactly is the figure as a count: one stray event a burst is tolerated where
// the figure is of an operation.
func (f figure) exactly() count {
	c := count{baseline: mean(f.baseline), candidate: mean(f.candidate), typical: [2]float64{math.NaN(), math.NaN()}, integers: wholes(f.baseline) && wholes(f.candidate)}
	if n := len(f.Unit); n > 3 && f.Unit[n-3:] == "/op" {
		c.stray = 1 / f.fewest
	}
	differences := make([]float64, len(f.baseline))
	for i := range differences {
		differences[i] = f.candidate[i] - f.baseline[i]
	}
	c.unsteady = !c.integers && unsteady(differences)
	return c
}

// wholes tells whether all launches gave one whole number.
func wholes(xs []float64) bool {
	return !slices.ContainsFunc(xs, func(x float64) bool { return x != xs[0] || x != math.Trunc(x) })
}

// class turns a direction round where more is better.
func (f figure) class(c study.Class) study.Class {
	if f.Better != "higher" {
		return c
	}
	switch c {
	case study.Better:
		return study.Worse
	case study.Worse:
		return study.Better
	}
	return c
}

// positive tells whether the first n launches have a ratio.
func (f figure) positive(n int) bool {
	no := func(x float64) bool { return !(x > 0) }
	return !slices.ContainsFunc(f.baseline[:n], no) && !slices.ContainsFunc(f.candidate[:n], no)
}

// units are the changes of the first n launches, above zero where the arm is
// worse: log ratios, or, where a side is zero in some launch, differences as
// shares of the larger side's mean, which swapping the sides mirrors too.
func (f figure) units(n int) []float64 {
	sign := 1.0
	if f.Better == "higher" {
		sign = -1
	}
	us := make([]float64, n)
	ratios, scale := f.positive(n), 0.0
	if !ratios {
		scale = max(meanSize(f.baseline[:n]), meanSize(f.candidate[:n]))
	}
	for i := range us {
		switch {
		case ratios:
			us[i] = sign * math.Log(f.candidate[i]/f.baseline[i])
		case scale > 0:
			us[i] = sign * (f.candidate[i] - f.baseline[i]) / scale
		}
	}
	return us
}

func meanSize(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += math.Abs(x)
	}
	return sum / float64(len(xs))
}

// judgeFigures judges the figures that the study declares and the benchmark
// reports. Counts are those of the launches that the rule had seen when it
// decided on time; the others have looks of their own.
func (t *trial) judgeFigures(seen []*launch) []study.MetricResult {
	if t.e.plan.Study == nil {
		return nil
	}
	t.res.Metrics = nil
	for _, m := range t.e.plan.Study.Metrics {
		if res, ok := t.judgeFigure(m, seen); ok {
			t.res.Metrics = append(t.res.Metrics, res)
		}
	}
	return t.res.Metrics
}

func (t *trial) judgeFigure(m study.Metric, seen []*launch) (res study.MetricResult, ok bool) {
	ls := seen
	if !m.Exact {
		looks := t.e.looks()
		ls = t.e.launches[:min(len(t.e.launches), looks[len(looks)-1])]
	}
	f, why, absent := figureOf(m, ls)
	if absent {
		return res, false
	}
	res = study.MetricResult{Unit: m.Unit, Exact: m.Exact, Decides: m.Decides, Class: study.Unresolved, Why: why}
	if why != nil {
		return res, true
	}
	if m.Exact {
		c := f.exactly()
		res.Baseline, res.Candidate, res.Class = c.baseline, c.candidate, study.Same
		if !c.equal() {
			res.Class = f.class(agreed(c))
		}
		return res, true
	}
	d := t.e.replayFigure(f)
	res.Class = d.class
	res.Baseline, res.Candidate = mean(f.baseline[:d.n]), mean(f.candidate[:d.n])
	res.Estimate = f.estimate(d)
	return res, true
}

// estimate returns the change of the figure that was decided; zero where it has no ratio.
func (f figure) estimate(d decision) study.Estimate {
	if !f.positive(d.n) {
		return study.Estimate{}
	}
	if f.Better == "higher" {
		d.mean, d.lo, d.hi = -d.mean, -d.hi, -d.lo
	}
	return estimate(d, math.NaN())
}

func (e *evidence) replayFigure(f figure) decision {
	return replay(e.looks(), len(f.baseline), e.rule.Band, func(n int) interval { return over(f.units(n), e.alpha(n)) })
}

// wantFigure asks for a launch where a figure is undecided that has a say in
// the verdict, or that a published claim is about.
func (t *trial) wantFigure() *study.Want {
	if t.e.plan.Study == nil {
		return nil
	}
	for _, m := range t.e.plan.Study.Metrics {
		if m.Exact || !m.Decides && !t.e.claimed(m.Unit) {
			continue
		}
		f, why, absent := figureOf(m, t.e.launches)
		if !absent && why == nil && t.e.replayFigure(f).open {
			return t.e.ask(t.e.main)
		}
	}
	return nil
}

// claimed tells whether a published claim is about that unit here.
func (e *evidence) claimed(unit string) bool {
	return slices.ContainsFunc(e.plan.Study.Claims, func(c study.Claim) bool {
		return c.Metric == unit && c.Arm == e.c.Arm && c.Benchmark == e.c.Benchmark && study.Holds(e.c.Cell, c.Cell)
	})
}

// needFigures says what it would take to resolve a figure that alone leaves
// the verdict open.
func (t *trial) needFigures(r ruling) {
	if !resolved(r.time) || t.res.Verdict != study.Inconclusive {
		return
	}
	for _, f := range t.res.Metrics {
		if !f.Decides || f.Class != study.Unresolved || f.Estimate.Launches < 2 {
			continue
		}
		half := (math.Log1p(f.Estimate.Hi) - math.Log1p(f.Estimate.Lo)) / 2
		t.res.Detectable = math.Expm1(half)
		if t.e.rule.Band > 0 {
			t.res.NeedTime = study.Duration(min(float64(t.res.Spent)*math.Pow(half/t.e.rule.Band, 2), math.MaxInt64/2))
		}
		return
	}
}
