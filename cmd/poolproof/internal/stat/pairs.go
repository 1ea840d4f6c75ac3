package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// clock is one of the two times that a burst has.
type clock int

const (
	wall clock = iota
	cpu
)

// pair is one pair of bursts on one clock, nanoseconds an operation; index 0 is
// the baseline, 1 the candidate.
type pair struct {
	window [2]float64 // inside the benchmark's timer window
	total  [2]float64 // what the side owes: window, and what the drain takes of its processors
	cycles [2]int     // collections finished
}

// touched tells whether a collection finished in the burst of a side.
func (p pair) touched(side int) bool { return p.cycles[side] > 0 }

// ratio is the log ratio of the windows. A burst that the clock is too coarse
// for has no ratio.
func (p pair) ratio() (float64, bool) {
	if p.window[0] <= 0 || p.window[1] <= 0 {
		return 0, false
	}
	return math.Log(p.window[1] / p.window[0]), true
}

// pairsOf reads a launch; nil if it does not have the clock. The CPU time of a drain
// is the collector's and belongs to the side that made the garbage. Its wall time belongs
// to nobody: the program would go on working meanwhile, where it may: see [launch.pairs].
func pairsOf(r *study.Record, k clock) []pair {
	if k == cpu && (len(r.Baseline.CPU) == 0 || len(r.Candidate.CPU) == 0) {
		return nil
	}
	ps := make([]pair, r.Baseline.Len())
	for side, c := range []*study.Columns{&r.Baseline, &r.Candidate} {
		n := float64(r.Ops(study.Sides[side]))
		for i := range ps {
			p := &ps[i]
			switch k {
			case wall:
				p.window[side] = float64(c.Wall[i]) / n
				p.total[side] = p.window[side]
			case cpu:
				p.window[side] = float64(c.CPU[i]) / n
				p.total[side] = p.window[side]
				if len(c.Drain) > 0 {
					p.total[side] += float64(c.Drain[i]) / n
				}
			}
			if len(c.GCs) > 0 {
				p.cycles[side] = int(c.GCs[i])
			}
		}
	}
	return ps
}

// coarse counts the pairs that have no ratio.
func coarse(ps []pair) int {
	n := 0
	for _, p := range ps {
		if _, ok := p.ratio(); !ok {
			n++
		}
	}
	return n
}

// sums adds up both sides.
func sums(ps []pair) (total [2]float64, cycles [2]int) {
	for _, p := range ps {
		for side := range 2 {
			total[side] += p.total[side]
			cycles[side] += p.cycles[side]
		}
	}
	return total, cycles
}
