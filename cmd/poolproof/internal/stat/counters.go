package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Names of the exact counters, as benchmarks print them.
const (
	bytesPerOp  = "B/op"
	allocsPerOp = "allocs/op"
)

// count is an exact counter per operation on both sides. Allocations are not
// estimated: no interval belongs to them, only a tolerance for what the
// runtime and refilled pools add, and whether the launches agree.
type count struct {
	baseline, candidate float64
	stray               float64    // of one stray allocation in a burst, per operation
	typical             [2]float64 // in the median burst; NaN: not known
	unit                float64    // per operation: less is no event of every operation
	integers            bool       // both are whole numbers of every operation
	unsteady            bool       // launches do not agree that it moved
}

func (c count) delta() float64  { return c.candidate - c.baseline }
func (c count) larger() float64 { return max(c.baseline, c.candidate) }

// equal compares whole numbers as such: 1532 and 1524 are less than 0.6 %
// apart and yet eight allocations.
func (c count) equal() bool {
	if c.integers {
		return c.baseline == c.candidate
	}
	const rounding = 1 + 1e-9 // of the divisions by N
	return math.Abs(c.delta()) <= rounding*max(0.005*c.larger(), c.stray) && c.typicallyEqual()
}

// typicallyEqual compares the median bursts. Where a burst is one operation, a
// stray is as large as an allocation of the program's own; the median burst has
// no stray, and what moves there by half of the count or more is the program.
func (c count) typicallyEqual() bool {
	d := math.Abs(c.typical[1] - c.typical[0])
	return !(d > 0 && d >= c.unit && d >= max(c.typical[0], c.typical[1])/2) // NaN: equal
}

// tolerance is by how much the baseline may miss a least count.
func (c count) tolerance(least float64) float64 {
	return max(0.005*least, min(c.stray, least/2))
}

func (c count) counter() study.Counter {
	return study.Counter{Baseline: c.baseline, Candidate: c.candidate, Equal: c.equal(), Unsteady: c.unsteady && !c.equal(), Moved: c.delta() != 0 && !c.unsteady}
}

// counters adds up the launches.
func counters(ls []*launch) (allocs, bytes count) {
	// One stray allocation of the runtime in a burst is tolerated; strays are
	// seldom larger than half a kilobyte.
	allocs = counted(ls, 1, 0.5, func(c *study.Columns) []uint64 { return c.Allocs })
	bytes = counted(ls, 512, 8, func(c *study.Columns) []uint64 { return c.Bytes })
	return allocs, bytes
}

func counted(ls []*launch, stray, unit float64, column func(*study.Columns) []uint64) count {
	var sum, ops [2]float64
	fewest := math.Inf(1)
	whole := [2]wholeNumber{}
	var perOp [2][]float64
	var differences, pairs []float64
	for _, l := range ls {
		var own [2]float64 // of the launch, an operation
		for side, c := range []*study.Columns{&l.rec.Baseline, &l.rec.Candidate} {
			n := float64(l.rec.Ops(study.Sides[side]))
			fewest = min(fewest, n)
			for _, v := range column(c) {
				sum[side] += float64(v)
				own[side] += float64(v)
				whole[side].add(float64(v) / n)
				perOp[side] = append(perOp[side], float64(v)/n)
			}
			ops[side] += n * float64(c.Len())
			own[side] /= n * float64(c.Len())
		}
		differences = append(differences, own[1]-own[0])
		if old, now := column(&l.rec.Baseline), column(&l.rec.Candidate); len(old) == len(now) { // not of stretches
			for i := range old {
				pairs = append(pairs, float64(now[i])/float64(l.rec.Ops(study.Candidate))-float64(old[i])/float64(l.rec.Ops(study.Baseline)))
			}
		}
	}
	c := count{baseline: sum[0] / ops[0], candidate: sum[1] / ops[1], stray: stray / fewest, unit: unit}
	c.unsteady = unsteady(differences) || ofOneBurst(pairs)
	c.typical = [2]float64{medianInPlace(perOp[0]), medianInPlace(perOp[1])}
	if whole[0].ok() && whole[1].ok() {
		c.integers, c.unsteady = true, false
		c.baseline, c.candidate = whole[0].value, whole[1].value
	}
	return c
}

// ofOneBurst tells whether one of the differences of pairs of bursts makes more than an
// eighth of all. A pool that a collection emptied fills again in one burst of many, and which
// side that is may be chance: that the first seven such bursts are of one side has a
// probability of 1.6 %, and eight 0.8 %.
func ofOneBurst(pairs []float64) bool {
	if len(pairs) < 2 {
		return false
	}
	all, most := 0.0, 0.0
	for _, d := range pairs {
		all += d
	}
	for _, d := range pairs {
		most = max(most, math.Copysign(1, all)*d)
	}
	n := float64(len(pairs))
	return (math.Abs(all)-most)/(n-1) < math.Abs(all)/n*7/8
}

// wholeNumber finds out whether all bursts round to one integer. A burst must
// be near it: an arm that allocates in two operations of five does not
// allocate "0 times".
type wholeNumber struct {
	value   float64
	seen    bool
	refuted bool
}

func (w *wholeNumber) add(perOp float64) {
	const near = 0.05
	r := math.Round(perOp)
	if math.Abs(perOp-r) > near || w.seen && r != w.value {
		w.refuted = true
	}
	w.value, w.seen = r, true
}

func (w *wholeNumber) ok() bool { return w.seen && !w.refuted }

// A counter is exact for the launches that were seen. Where it hangs on rare
// events (a pool that a collection has emptied, a table that grows once in a
// thousand operations), the next launches would give another number, and its
// direction may be chance. So a counter that moved must have moved in the
// launches: Student's t over their differences, one a launch, tells it from 0.
const steadyLevel = 0.01 // two-sided; several looks are not corrected for

// unsteady tells whether the differences of launches do not exclude 0. One
// launch has none to compare: its bursts tell, see ofOneBurst.
func unsteady(differences []float64) bool {
	n := len(differences)
	if n < 2 {
		return false
	}
	half := tQuantile(1-steadyLevel/2, float64(n-1)) * deviation(differences) / math.Sqrt(float64(n))
	return math.Abs(mean(differences)) <= half
}
