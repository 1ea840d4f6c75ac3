package stat

import "slices"

// mutator is M: the median over pairs of the log ratio of the windows. A
// collection is in few bursts, so the median does not see what garbage costs:
// M is right where both sides make the same garbage, and the most precise
// number there is. The median has 1.4 to 2.4 times less error than HL here,
// because what disturbs a burst is rare and large. NaN if no pair has a ratio.
func mutator(ps []pair) float64 {
	ds := make([]float64, 0, len(ps))
	for _, p := range ps {
		if d, ok := p.ratio(); ok {
			ds = append(ds, d)
		}
	}
	return medianInPlace(ds)
}

// quiet keeps the pairs in which nothing was collected.
func quiet(ps []pair) []pair {
	return slices.DeleteFunc(slices.Clone(ps), func(p pair) bool { return p.touched(0) || p.touched(1) })
}
