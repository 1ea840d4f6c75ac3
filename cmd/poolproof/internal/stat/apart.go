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
	x, y := math.Log1p(a.Deciding.Effect), math.Log1p(b.Deciding.Effect)
	below := math.Hypot(y-math.Log1p(b.Deciding.Lo), math.Log1p(a.Deciding.Hi)-x)
	above := math.Hypot(math.Log1p(b.Deciding.Hi)-y, x-math.Log1p(a.Deciding.Lo))
	return study.Apart{From: a.Comparison, To: b.Comparison, Effect: math.Expm1(y - x), Lo: math.Expm1(y - x - below), Hi: math.Expm1(y - x + above)}
}
