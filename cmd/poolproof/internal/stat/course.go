package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// checkCourse takes a class back where the difference changes while the processes
// run: a cache warms up, a map grows from burst to burst, and no one number stands for it. The
// first launch of a comparison, which is the longest, tells.
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
		r.doubt(study.Reason{Code: study.ReasonDrift, Share: math.Expm1(begin), Bound: math.Expm1(end)})
		r.hopeless = true
	}
}
