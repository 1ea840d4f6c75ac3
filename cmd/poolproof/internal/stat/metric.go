package stat

import (
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// metric is one way to make one number of a launch.
type metric int

const (
	mWall metric = iota
	mCPU
	tWall
	tCPU
	longWall
	longCPU
	rateWall // never asked for: the wall time of a paced window is given
	rateCPU
	sumWall // plain sums of a launch: they decide nothing, see sums.go
	sumCPU
	manyWall // of bursts of many operations, see many.go
	manyCPU
	metrics int = iota
)

// estimator is the metric as results name it.
func (m metric) estimator() study.Estimator {
	return study.Estimator{
		Kind:  [...]study.EstimatorKind{study.Mutator, study.Total, study.Long, study.AtRate, study.Sum, study.Many}[m/2],
		Clock: [...]study.Clock{study.Wall, study.CPU}[m.clock()],
	}
}

func (m metric) String() string { return m.estimator().String() }

// clock is the time that the metric is a ratio of.
func (m metric) clock() clock { return clock(m % 2) }

// on is the same way on another clock.
func (m metric) on(k clock) metric { return m - m%2 + metric(k) }

// other is the same way on the other clock.
func (m metric) other() metric { return m.on(1 - m.clock()) }

// Where CPU time stands for wall time: the processors that each side keeps busy
// in its typical burst. Below, the code waits; above, other threads work with it,
// or its windows are so short that stopping the timer adds to them.
const (
	leastBusy = 0.97
	mostBusy  = 1.05
)

// foreignShare is the share of the machine that others use above which their work
// is in the wall time of this one.
const foreignShare = 0.15

// choose picks the metric that decides, from the launches seen so far. Equal
// garbage: the cost of collecting cancels, and M is the most precise. Unequal
// garbage: the collections must be in the number. Launches of whole processes
// (EnginePairs) have paid for theirs anyhow.
func (e *evidence) choose(ls []*launch) metric {
	switch e.main {
	case study.FormPairs:
		return mWall
	case study.FormRate:
		return rateCPU
	}
	_, bytes := counters(ls)
	m := tWall
	if bytes.equal() {
		m = mWall
	}
	k := e.chooseClock(ls, m)
	if k == cpu && !hasCPU(ls) {
		k = wall
	}
	return m.on(k)
}

// chooseClock takes wall time, which is what users wait for. CPU time takes its
// place only on a busy machine, for time between collections, and only where it
// is the same time: on both sides one goroutine works and never waits.
func (e *evidence) chooseClock(ls []*launch, m metric) clock {
	switch e.rule.Clock {
	case "wall":
		return wall
	case "cpu":
		return cpu
	}
	if m == mWall && foreign(ls) > foreignShare && cpuStands(ls) {
		return cpu
	}
	return wall
}

// cpuStands tells whether the CPU time of a typical burst is its wall time, on
// both sides.
func cpuStands(ls []*launch) bool {
	if !hasCPU(ls) {
		return false
	}
	least, most := busy(ls)
	return least >= leastBusy && most <= mostBusy
}

// oneProcessor tells whether the processes run on one processor. There the
// collector's CPU time is overcharged, so T CPU has no say.
func (e *evidence) oneProcessor() bool { return e.processors() == 1 }

// busy is the number of processors that the sides keep busy, the median over
// the bursts without a collection: of the side that keeps fewer, and of the one
// that keeps more. NaN where the CPU clock is missing.
func busy(ls []*launch) (least, most float64) {
	var ratios [2][]float64
	for _, l := range ls {
		for side := range 2 {
			ratios[side] = append(ratios[side], keptBusy(l.rec.Columns(study.Sides[side]))...)
		}
	}
	a, b := medianInPlace(ratios[0]), medianInPlace(ratios[1])
	return min(a, b), max(a, b)
}

// keptBusy lists how many processors each burst without a collection keeps busy.
func keptBusy(c *study.Columns) (ratios []float64) {
	for i, ns := range c.CPU {
		if c.Wall[i] > 0 && (len(c.GCs) == 0 || c.GCs[i] == 0) {
			ratios = append(ratios, float64(ns)/float64(c.Wall[i]))
		}
	}
	return ratios
}

// foreign is the median share of the machine that other programs used, -1 if
// no launch knows it.
func foreign(ls []*launch) float64 {
	var known []float64
	for _, l := range ls {
		if f := l.rec.Load.Foreign; f >= 0 {
			known = append(known, f)
		}
	}
	if len(known) == 0 {
		return -1
	}
	return medianInPlace(known)
}

func hasCPU(ls []*launch) bool {
	return !slices.ContainsFunc(ls, func(l *launch) bool { return len(l.rec.Baseline.CPU) == 0 || len(l.rec.Candidate.CPU) == 0 })
}
