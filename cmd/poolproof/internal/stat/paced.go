package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Comparisons at a fixed rate. The operations start one by one, a period
// apart, and what is judged is the CPU time that the process takes for them:
// user and system, the collector included, idleness not. Wall time is given by
// the pace and says nothing.
//
// A launch is a plain sum over its windows, as in the long form. But garbage
// that is made slowly is collected seldom: a window may hold one collection or
// two, or none, by the phase at which it begins, and launch after launch
// begins at the same one. More launches do not average that away. So each
// window pays for the collections that its garbage makes, not for those that
// happened to run in it: the difference, which is less than one collection,
// is charged or given back at the price of a collection that was forced, and
// measured, after the window.

// A collection begins when allocation has filled so much of the room up to the
// heap's goal, the later the slower it is. Source: runtime/mgcpacer.go,
// minTriggerRatioDistance and maxTriggerRatioDistance.
const (
	earliest = 0.70
	latest   = 0.95
)

// trusted is how much of a charge by price is believed. The other half is
// added to the interval: a forced collection need not cost what one in the
// window would have.
const trusted = 0.5

// owed is the number of collections that a window's garbage makes beyond those
// that ran in it; negative where one ran that the garbage before it made, as
// that of the benchmark's set-up. Where the number that ran is one that the
// garbage can make, by when collections begin, nothing is owed. Between -1 and
// 1: phase makes no larger difference, and what seems larger is the heap's
// goal having moved.
func owed(bytes uint64, room uint64, ran uint32) float64 {
	if room == 0 { // at the memory limit: one collection follows the other, and all are seen
		return 0
	}
	fills := float64(bytes) / float64(room)
	switch least, most := fills/latest-float64(ran), fills/earliest-float64(ran); {
	case least > 0:
		return min(1, least)
	case most < 0:
		return max(-1, most)
	}
	return 0
}

// paid reads the CPU time of a paced launch, each window with what it owes.
func paid(r *study.Record) []pair {
	ps := pairsOf(r, cpu)
	for side, c := range []*study.Columns{&r.Baseline, &r.Candidate} {
		for i := range ps {
			ps[i].total[side] = max(0, ps[i].total[side]+charge(c, i)/float64(r.N))
		}
	}
	return ps
}

// charge returns the CPU time of a window of a side, in nanoseconds.
func charge(c *study.Columns, i int) float64 {
	return owed(c.Bytes[i], c.Room[i], c.GCs[i]) * float64(c.Price[i])
}

// charged is the share of a side's CPU time that was charged or given back.
func charged(r *study.Record) (share [2]float64) {
	total, _ := sums(paid(r))
	for side, c := range []*study.Columns{&r.Baseline, &r.Candidate} {
		sum := 0.0
		for i := range c.Price {
			sum += charge(c, i) / float64(r.N)
		}
		if total[side] > 0 {
			share[side] = sum / total[side]
		}
	}
	return share
}

// priced is by how much the mean over launches may be wrong because
// collections were charged by price: half of that, on either side, as a log
// ratio.
func (e *evidence) priced(ls []*launch) float64 {
	off := 0.0
	for _, l := range ls {
		for _, share := range charged(l.rec) {
			off += math.Log1p((1 - trusted) * math.Abs(share))
		}
	}
	return off / float64(len(ls))
}

// showPaced fills what is shown of a comparison at a fixed rate.
func (t *trial) showPaced(r ruling, seen []*launch) {
	t.decide(r)
	p := &study.Paced{Pace: *t.e.c.Pace}
	var shares [2]float64
	for side := range 2 {
		var wall, cpu, ops, late, cycles, pause float64
		var bytes, objects float64
		for _, l := range seen {
			c := [2]*study.Columns{&l.rec.Baseline, &l.rec.Candidate}[side]
			total, _ := sums(paid(l.rec))
			cpu += total[side] * float64(l.rec.N)
			ops += float64(l.rec.N * c.Len())
			shares[side] += charged(l.rec)[side] / float64(len(seen))
			for i := range c.Wall {
				wall += float64(c.Wall[i])
				bytes += float64(c.Bytes[i])
				objects += float64(c.Allocs[i])
				owes := owed(c.Bytes[i], c.Room[i], c.GCs[i])
				cycles += max(0, float64(c.GCs[i])+owes)
				if len(c.Pause) > 0 && len(c.PricePause) > 0 {
					pause += max(0, float64(c.Pause[i])+owes*float64(c.PricePause[i]))
				}
			}
			for i := range c.Late {
				late += float64(c.Late[i])
			}
		}
		if wall <= 0 || ops <= 0 {
			continue
		}
		seconds := wall / 1e9
		p.CPU[side] = cpu / ops
		p.Bytes[side], p.Allocs[side] = bytes/seconds, objects/seconds
		p.Cycles[side], p.Pause[side] = 60*cycles/seconds, 60*pause/1e6/seconds
		p.Late[side] = late / ops
	}
	p.Owed = shares
	t.res.Paced = p
}
