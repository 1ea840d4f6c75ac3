package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Each burst begins the benchmark function again, and with it what the function keeps
// itself: a counter that is due at each 300th operation, a map that grows, a cost that is
// paid once a call. Work that comes after more operations than a burst has is in no
// burst, and in no stretch of bursts; a program that runs for long pays for it. So the
// first launch ends with a few bursts of [study.Manifold] times as many operations. They
// are long, and a machine disturbs what is long, so that they are too uncertain to decide
// anything. But no class stands that they gainsay: then there are launches of such bursts,
// until they gainsay it no more, or decide themselves.

// manyAlpha is two-sided, of the interval over bursts of many operations: it leads to
// more of them, not to a verdict.
const manyAlpha = 0.05

// gainsaid tells whether the log ratios of bursts of many operations speak against a
// class of time. However uncertain they are, they do where they are nearer to no
// difference than to the one that is claimed, by more than the band; and they do where they differ from
// the estimate by more than the band and a quarter of it, and not by chance.
func gainsaid(c study.Class, estimate float64, many []float64, band float64) bool {
	iv := over(many, manyAlpha)
	if moves(c) && math.Copysign(1, estimate)*iv.mean < math.Abs(estimate)/2-band {
		return true
	}
	return math.Abs(iv.mean-estimate) > max(band, rareShare*math.Abs(estimate)) && (iv.lo > estimate || iv.hi < estimate)
}

// checkMany takes a class of short bursts back where bursts of many operations gainsay
// it, asks for more of these, and lets them decide. Stretches have looked at whole seconds
// of each side, and are not asked.
func (t *trial) checkMany(r *ruling) {
	if r.time == study.Unresolved || r.metric.on(wall) == longWall || t.e.main != study.FormBursts {
		return
	}
	first, looks := t.e.launches[0].rec, t.e.rule.LongLooks
	ratios := manifold(first)
	for n := 0; ; n++ {
		if !gainsaid(r.time, r.mean, ratios, t.e.rule.Band) {
			return
		}
		if len(looks) == 0 || n == min(len(t.e.many), looks[len(looks)-1]) {
			break
		}
		ratios = append(ratios, ratiosOf(t.e.many[n])...)
		used, m := t.e.many[:n+1], manyWall.on(r.metric.clock())
		d := replay(looks, n+1, t.e.rule.Band, func(n int) interval { return over(values(used[:n], m), t.e.alpha(n)) })
		if d.decided > 0 {
			why := []study.Reason{t.dependsOnN(*r, ratios)}
			*r = ruling{decision: d, metric: m, time: d.class, used: used, bursts: r.used, guards: append(r.guards, study.Reason{Code: study.ReasonManyDecide, Because: why})}
			return
		}
	}
	r.doubt(t.dependsOnN(*r, ratios))
	r.want = nil
	if len(looks) > 0 && len(t.e.many) < looks[len(looks)-1] {
		r.want = t.e.ask(study.FormMany)
		r.missing += float64(max(1, looks[0]-len(t.e.many))) * t.e.launches[0].rec.Seconds
	}
	r.hopeless = r.want == nil
}

// dependsOnN says what short bursts give and what those of many operations do.
func (t *trial) dependsOnN(r ruling, many []float64) study.Reason {
	n := t.e.launches[0].rec.N
	return study.Reason{Code: study.ReasonDependsOnN, Share: math.Expm1(r.mean), Bound: math.Expm1(mean(many)), Counts: &[2]int{n, study.Manifold * n}}
}

// manifold lists the log ratios of the bursts of many operations in a first launch.
func manifold(r *study.Record) []float64 {
	var ds []float64
	for i := range min(len(r.Baseline.Manifold), len(r.Candidate.Manifold)) {
		old := float64(r.Baseline.Manifold[i]) / float64(r.Ops(study.Baseline))
		ds = append(ds, math.Log(float64(r.Candidate.Manifold[i])/float64(r.Ops(study.Candidate))/old))
	}
	return ds
}

// ratiosOf lists those of a launch that has no others.
func ratiosOf(l *launch) (ds []float64) {
	for _, p := range pairsOf(l.rec, wall) {
		if d, ok := p.ratio(); ok {
			ds = append(ds, d)
		}
	}
	return ds
}
