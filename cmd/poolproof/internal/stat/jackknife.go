package stat

import (
	"math"
	"slices"
)

// jackknifeGroups is how many groups of consecutive pairs are left out, one at
// a time. Groups, because neighbouring pairs are correlated, and because
// leaving out one pair says nothing about a median.
const jackknifeGroups = 10

// jackknife is the standard error of estimate within a launch (delete-a-group
// jackknife). NaN if there are fewer than two pairs or a part of the launch
// has no estimate.
func jackknife(ps []pair, estimate func([]pair) float64) float64 {
	g := min(jackknifeGroups, len(ps))
	if g < 2 {
		return math.NaN()
	}
	parts := make([]float64, g)
	for j := range parts {
		from, to := j*len(ps)/g, (j+1)*len(ps)/g
		parts[j] = estimate(slices.Concat(ps[:from], ps[to:]))
	}
	m, sum := mean(parts), 0.0
	for _, x := range parts {
		sum += (x - m) * (x - m)
	}
	return math.Sqrt(sum * float64(g-1) / float64(g))
}
