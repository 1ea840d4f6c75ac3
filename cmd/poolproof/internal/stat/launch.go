package stat

import (
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// launch is one good record and the numbers made of it, each when first asked
// for. It belongs to one judgement and is not shared between goroutines.
type launch struct {
	rec   *study.Record
	procs float64 // processors that each side may use; 0: unknown
	known [metrics]bool
	value [metrics]float64 // log ratio, NaN if the launch cannot say
	se    [metrics]float64 // standard error within the launch
}

// estimate returns a number of the launch and its standard error.
func (l *launch) estimate(m metric) (value, se float64) {
	if !l.known[m] {
		ps := l.pairs(m.clock())
		f := mutator
		switch m.on(wall) {
		case tWall:
			f = totalOf(ps)
		case longWall:
			f = beyondTypical
		case sumWall:
			f = plain
		case rateWall:
			ps, f = paid(l.rec), plain
		case manyWall:
			// Each burst holds what comes within its operations, and the median will do. But
			// collections of unequal garbage may come less often than that.
			if _, bytes := counters([]*launch{l}); !bytes.equal() {
				f = plain
			}
		}
		l.value[m], l.se[m] = f(ps), jackknife(ps, f)
		l.known[m] = true
	}
	return l.value[m], l.se[m]
}

// pairs reads the launch with what its collections take away from a program that goes on
// working while they mark: nothing where a processor is idle, the whole time where all are
// busy, as in a process that has but one.
func (l *launch) pairs(k clock) []pair {
	ps := pairsOf(l.rec, k)
	if k == cpu {
		return ps
	}
	for side := range 2 {
		if share := l.disturbed(study.Sides[side]); share > 0 {
			addDrain(ps, l.rec, side, share)
		}
	}
	return ps
}

// idleFor is the part of its processors that a program may keep busy without losing any to
// marking, which has the rest (runtime/mgcpacer.go, gcBackgroundUtilization), or all that is idle.
const idleFor = 0.75

// disturbed is the share of a drain's time that a side, had it gone on, would have lost.
func (l *launch) disturbed(side study.Side) float64 {
	if !(l.procs > 0) || len(l.rec.Columns(side).DrainW) == 0 {
		return 0
	}
	working := 1.0
	if b := medianInPlace(keptBusy(l.rec.Columns(side))); b > 0 {
		working = b / leastBusy
	}
	return min(1, max(0, (working/l.procs-idleFor)/(1-idleFor)))
}

// times are those per operation on both clocks as the metric's kind sees them.
func (l *launch) times(m metric) study.LaunchTimes {
	t := study.LaunchTimes{Form: l.rec.Form, Layout: l.rec.Layout, Launch: l.rec.Launch, Wall: l.perOp(m.on(wall))}
	if len(l.rec.Baseline.CPU) > 0 && len(l.rec.Candidate.CPU) > 0 {
		t.CPU = l.perOp(m.on(cpu))
	}
	for side := range 2 {
		t.Wall[side], t.CPU[side] = finite(t.Wall[side]), finite(t.CPU[side])
	}
	return t
}

// perOp is the time per operation of both sides in nanoseconds as the metric
// sees it.
func (l *launch) perOp(m metric) (both [2]float64) {
	ps := l.pairs(m.clock())
	bursts := float64(len(ps))
	switch m.on(wall) {
	case tWall:
		if len(quiet(ps)) >= fewestQuiet {
			return each(modelledTotals(ps), bursts)
		}
		fallthrough
	case longWall, rateWall, manyWall:
		if m == rateCPU {
			ps = paid(l.rec)
		}
		total, _ := sums(ps)
		return each(total, bursts)
	}
	for side := range 2 {
		var windows []float64
		for _, p := range ps {
			if p.window[side] > 0 {
				windows = append(windows, p.window[side])
			}
		}
		both[side] = medianInPlace(windows)
	}
	return both
}

// each divides both totals.
func each(total [2]float64, by float64) [2]float64 { return [2]float64{total[0] / by, total[1] / by} }

// values lists the numbers of launches.
func values(ls []*launch, m metric) []float64 {
	vs := make([]float64, len(ls))
	for i, l := range ls {
		vs[i], _ = l.estimate(m)
	}
	return vs
}

// withinSE is the mean standard error inside the launches.
func withinSE(ls []*launch, m metric) float64 {
	ses := make([]float64, len(ls))
	for i, l := range ls {
		_, ses[i] = l.estimate(m)
	}
	return mean(ses)
}

// cycles adds up the collections of both sides.
func cycles(ls []*launch) (n [2]int) {
	for _, l := range ls {
		_, c := sums(pairsOf(l.rec, wall))
		n[0] += c[0]
		n[1] += c[1]
	}
	return n
}

// drainPerCycle is the mean wall time from the end of a burst to the end of
// marking, in nanoseconds a collection; 0 without collections.
func drainPerCycle(ls []*launch) float64 {
	total := 0.0
	for _, l := range ls {
		for _, c := range []*study.Columns{&l.rec.Baseline, &l.rec.Candidate} {
			for _, ns := range c.DrainW {
				total += float64(ns)
			}
		}
	}
	n := cycles(ls)
	if n[0]+n[1] == 0 {
		return 0
	}
	return total / float64(n[0]+n[1])
}
