package stat

import "math"

// T is the total: what an operation takes with its collections paid. A plain
// sum would be right and far too noisy, because a neighbour's burst is in it.
// So the bursts without a collection, whose cost is the same each time, are
// replaced by their median, and only the touched ones count as measured.

const (
	fewestQuiet  = 20 // pairs without a collection, for a median worth its name
	fewestBlocks = 4  // for HL over blocks
	blockCycles  = 5  // collections in a block, on the side that collects more
)

// totalOf chooses the estimator of T for a launch. The choice depends on the
// whole launch, so that a part of it (see jackknife) is estimated alike.
func totalOf(ps []pair) func([]pair) float64 {
	switch {
	case len(quiet(ps)) >= fewestQuiet:
		return modelled
	case len(blocks(ps)) >= fewestBlocks:
		return func(ps []pair) float64 { return HL(blocks(ps)) }
	}
	return plain
}

// modelled is T where bursts without a collection are common.
func modelled(ps []pair) float64 {
	total := modelledTotals(ps)
	return logRatio(total)
}

// modelledTotals is the time of each side, in nanoseconds over the launch:
// touched bursts as measured, each other one at the median of the baseline's,
// for the candidate changed by the median ratio of untouched pairs.
func modelledTotals(ps []pair) [2]float64 {
	var olds []float64
	for _, p := range ps {
		if !p.touched(0) && p.window[0] > 0 {
			olds = append(olds, p.window[0])
		}
	}
	m := medianInPlace(olds)
	typical := [2]float64{m, m * math.Exp(mutator(quiet(ps)))}
	var total [2]float64
	for _, p := range ps {
		for side := range 2 {
			if p.touched(side) {
				total[side] += p.total[side]
			} else {
				total[side] += typical[side]
			}
		}
	}
	return total
}

// plain is the log ratio of the sums of the launch.
func plain(ps []pair) float64 {
	total, _ := sums(ps)
	return logRatio(total)
}

// blocks is the log ratio of the sums of each block of consecutive pairs, a
// block being long enough to hold blockCycles collections of the side that
// collects more in the launch. Pairs left over join the last block. Empty if
// not one block could be closed.
func blocks(ps []pair) []float64 {
	_, all := sums(ps)
	more := 0
	if all[1] > all[0] {
		more = 1
	}
	var ends []int
	held := 0
	for i, p := range ps {
		if held += p.cycles[more]; held >= blockCycles {
			ends = append(ends, i+1)
			held = 0
		}
	}
	if len(ends) == 0 {
		return nil
	}
	ends[len(ends)-1] = len(ps)
	var ds []float64
	start := 0
	for _, end := range ends {
		if d := plain(ps[start:end]); !math.IsNaN(d) {
			ds = append(ds, d)
		}
		start = end
	}
	return ds
}

// logRatio is NaN unless both sides are positive.
func logRatio(total [2]float64) float64 {
	if !(total[0] > 0 && total[1] > 0) {
		return math.NaN()
	}
	return math.Log(total[1] / total[0])
}
