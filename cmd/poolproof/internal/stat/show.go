package stat

import (
	"math"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// show fills the estimates and times of a result. All numbers of bursts are of
// the launches that the rule had seen when it decided; later ones change
// nothing.
func (t *trial) show(r ruling, seen []*launch) {
	final := !r.open
	if t.e.main == study.FormRate {
		t.showPaced(r, seen)
		return
	}
	for m, to := range map[metric]*study.Estimate{mWall: &t.res.MWall, mCPU: &t.res.MCPU, tWall: &t.res.TWall, tCPU: &t.res.TCPU} {
		*to = t.e.estimate(seen, m, final)
	}
	for m, to := range map[metric]*study.Estimate{longWall: &t.res.LongWall, longCPU: &t.res.LongCPU} {
		if n := len(t.e.longs); n > 0 && (m == longWall || hasCPU(t.e.longs)) {
			iv := overStretches(seen, t.e.longs, m.clock(), t.e.alpha(n))
			*to = estimate(decision{interval: iv, class: iv.classify(t.e.rule.Band)}, withinSE(t.e.longs, m))
		}
	}

	t.decide(r)
	if t.res.AsBuilt == nil && r.metric < rateWall {
		*t.field(r.metric) = t.res.Deciding
	}
}

// decide shows the estimate that decided, and the times that belong to it.
func (t *trial) decide(r ruling) {
	t.res.Estimator = r.metric.estimator()
	t.res.Deciding = estimate(r.decision, withinSE(r.used, r.metric))
	if t.res.Deciding.Launches == 0 {
		return
	}
	t.res.Times = nil
	times := make([]float64, len(r.used))
	for i, l := range r.used {
		both := l.perOp(r.metric)
		times[i] = both[0]
		t.res.Times = append(t.res.Times, l.times(r.metric))
	}
	if baseline := medianInPlace(times); !math.IsNaN(baseline) {
		t.res.BaselineTime, t.res.CandidateTime = baseline, baseline*(1+t.res.Deciding.Effect)
	}
}

func (t *trial) field(m metric) *study.Estimate {
	return [...]*study.Estimate{&t.res.MWall, &t.res.MCPU, &t.res.TWall, &t.res.TCPU, &t.res.LongWall, &t.res.LongCPU}[m]
}

// estimate is one metric for information, judged once.
func (e *evidence) estimate(ls []*launch, m metric, final bool) study.Estimate {
	if len(ls) == 0 {
		return study.Estimate{}
	}
	iv := over(values(ls, m), e.alpha(len(ls)))
	d := decision{interval: iv, class: iv.classify(e.rule.Band)}
	if d.class == study.Unresolved && final && iv.hi <= e.rule.Band {
		d.class = study.NotWorse
	}
	return estimate(d, withinSE(ls, m))
}

// estimate turns log ratios into relative changes. A launch that has no number
// for the metric leaves it unestimated. One launch has no interval: Lo and Hi
// are then its effect.
func estimate(d decision, se float64) study.Estimate {
	if math.IsNaN(d.mean) || math.IsInf(d.mean, 0) {
		return study.Estimate{}
	}
	e := study.Estimate{
		Effect: math.Expm1(d.mean), Launches: d.n, Class: d.class, Decided: d.decided,
		LaunchSD: finite(d.sd), WithinSE: finite(se),
	}
	e.Lo, e.Hi = e.Effect, e.Effect
	if d.n >= 2 {
		e.Lo, e.Hi = math.Expm1(d.lo), min(math.Expm1(d.hi), math.MaxFloat64)
	}
	return e
}

// notes collects what the records remark, each once, and what the judge saw.
func (e *evidence) notes() []study.Reason {
	var notes []study.Reason
	var machines []string
	pairs, unmeasured := 0, [2]int{}
	for _, r := range e.recs {
		if r.Note != "" && !slices.ContainsFunc(notes, func(n study.Reason) bool { return n.Text == r.Note }) {
			notes = append(notes, study.Reason{Code: study.NoteLaunch, Text: r.Note})
		}
		if !slices.Contains(machines, r.Machine) {
			machines = append(machines, r.Machine)
		}
		if r.Status == study.StatusOK {
			pairs += r.Baseline.Len()
			for k := range unmeasured {
				unmeasured[k] += coarse(pairsOf(r, clock(k)))
			}
		}
	}
	for k, n := range unmeasured {
		if n > 0 {
			notes = append(notes, study.Reason{Code: study.NoteCoarse, Estimator: mWall.on(clock(k)).estimator(), Counts: &[2]int{n, pairs}})
		}
	}
	if len(machines) > 1 {
		notes = append(notes, study.Reason{Code: study.NoteMachines, Count: len(machines)})
	}
	return notes
}

// finite keeps JSON writable.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}
