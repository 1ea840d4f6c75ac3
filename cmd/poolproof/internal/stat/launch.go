package stat

import (
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// launch is one good record and the numbers made of it, each when first asked
// for. It belongs to one judgement and is not shared between goroutines.
type launch struct {
	rec   *study.Record
	known [metrics]bool
	value [metrics]float64 // log ratio, NaN if the launch cannot say
	se    [metrics]float64 // standard error within the launch
}

// estimate returns a number of the launch and its standard error.
func (l *launch) estimate(m metric) (value, se float64) {
	if !l.known[m] {
		ps := pairsOf(l.rec, m.clock())
		f := mutator
		switch m.on(wall) {
		case tWall:
			f = totalOf(ps)
		case longWall:
			f = plain
		case rateWall:
			ps, f = paid(l.rec), plain
		}
		l.value[m], l.se[m] = f(ps), jackknife(ps, f)
		l.known[m] = true
	}
	return l.value[m], l.se[m]
}

// perOp is the old side's time per operation in nanoseconds as the metric
// sees it.
func (l *launch) perOp(m metric) float64 {
	ps := pairsOf(l.rec, m.clock())
	n := float64(l.rec.N)
	slices := float64(len(ps))
	switch m.on(wall) {
	case tWall:
		if len(quiet(ps)) >= fewestQuiet {
			return modelledTotals(ps)[0] / (n * slices)
		}
		fallthrough
	case longWall:
		total, _ := sums(ps)
		return total[0] / (n * slices)
	case rateWall:
		total, _ := sums(paid(l.rec))
		return total[0] / (n * slices)
	}
	var olds []float64
	for _, p := range ps {
		if p.window[0] > 0 {
			olds = append(olds, p.window[0]/n)
		}
	}
	return medianInPlace(olds)
}

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

// drainPerCycle is the mean wall time from the end of a slice to the end of
// marking, in nanoseconds a collection; 0 without collections.
func drainPerCycle(ls []*launch) float64 {
	total := 0.0
	for _, l := range ls {
		for _, c := range []*study.Columns{&l.rec.Old, &l.rec.New} {
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
