package stat

import (
	"math"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// apart compares the effects in the cells of a plan that have builds of their own, each
// with that in the first one of its comparison.
//
// The launches of two cells are independent, so the interval of the difference follows from
// those of the two: the distances from each estimate to the end of its interval that
// counts are added as squares, on logarithms (the method of variance estimates recovery;
// Zou and Donner, Statistics in Medicine 27, 2008). It has the level of the two.
func apart(p study.Plan, results []study.Result) (all []study.Apart) {
	first := map[string]study.Result{}
	for i, r := range results {
		builds, processes := study.Settings(r.Cell)
		if len(builds) == 0 || r.Deciding.Launches < 2 {
			continue
		}
		// A pool's two forms have arms of their own.
		key := strings.Join(slices.Concat([]string{p.Comparisons[i].Benchmark, r.Arm, r.Baseline}, processes), "\x00")
		a, known := first[key]
		if !known {
			first[key] = r
			continue
		}
		all = append(all, between(a, r))
	}
	return all
}

func between(a, b study.Result) study.Apart {
	d, lo, hi := difference(b.Deciding, a.Deciding)
	return study.Apart{From: a.Comparison, To: b.Comparison, Effect: math.Expm1(d), Lo: math.Expm1(lo), Hi: math.Expm1(hi)}
}

// difference is the logarithm of the ratio of two independent ratios, with its interval.
func difference(a, b study.Estimate) (d, lo, hi float64) {
	x, y := math.Log1p(a.Effect), math.Log1p(b.Effect)
	d = x - y
	return d, d - math.Hypot(x-math.Log1p(a.Lo), math.Log1p(b.Hi)-y), d + math.Hypot(math.Log1p(a.Hi)-x, y-math.Log1p(b.Lo))
}
