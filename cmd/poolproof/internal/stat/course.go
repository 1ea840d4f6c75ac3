package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// One number for the difference of two sides means that there is one: that it is
// the same at the beginning of a process and later, and for few operations and for
// many. A cache that warms up, a map that grows from burst to burst, a cost that is
// paid once a call and shared by b.N operations break that. The first launch of a
// comparison, which is the longest, tells.

// manifoldAlpha is two-sided, of the interval over bursts of many operations.
const manifoldAlpha = 0.005

// checkCourse takes a class back where the difference changes while the processes
// run, or with the number of operations in a call.
func (t *trial) checkCourse(r *ruling) {
	if r.time == study.Unresolved || len(t.e.launches) == 0 || t.e.launches[0].rec.Pairs == 0 {
		return
	}
	first := t.e.launches[0].rec
	matters := max(t.e.rule.Band, rareShare*math.Abs(r.mean))
	ps := pairsOf(first, wall)
	third := len(ps) / 3
	begin, end := mutator(ps[:third]), mutator(ps[len(ps)-third:])
	se := [2]float64{jackknife(ps[:third], mutator), jackknife(ps[len(ps)-third:], mutator)}
	if math.Abs(end-begin) > matters+soakSDs*math.Hypot(se[0], se[1]) {
		t.noOneNumber(r, study.ReasonDrift, begin, end)
		return
	}
	iv := over(manifold(first), manifoldAlpha)
	if s := plain(ps); r.metric.on(wall) != longWall && (iv.lo > s+matters || iv.hi < s-matters) {
		t.noOneNumber(r, study.ReasonDependsOnN, s, iv.mean)
	}
}

// noOneNumber doubts the class: the difference is one number here and another there.
func (t *trial) noOneNumber(r *ruling, code study.ReasonCode, here, there float64) {
	r.doubt(study.Reason{Code: code, Share: math.Expm1(here), Bound: math.Expm1(there), Counts: &[2]int{t.e.launches[0].rec.N, study.Manifold * t.e.launches[0].rec.N}})
	r.hopeless = true
}

// manifold lists the log ratios of the bursts of many operations.
func manifold(r *study.Record) []float64 {
	var ds []float64
	for i := range min(len(r.Baseline.Manifold), len(r.Candidate.Manifold)) {
		old := float64(r.Baseline.Manifold[i]) / float64(r.Ops(study.Baseline))
		ds = append(ds, math.Log(float64(r.Candidate.Manifold[i])/float64(r.Ops(study.Candidate))/old))
	}
	return ds
}
