package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Code that makes little garbage is seldom collected, and the price of its
// collections stays unknown though everybody can see that it does not matter.
// Here that is made a rule: where the collector cannot have taken a share of
// the time that is worth half of what is to be shown, M decides, and the share
// is added to its interval. Half the band is what equality can bear, and half of
// the difference what a difference can: the dearest collection may then be
// twice as dear as any that was seen, and the sign stays.
//
// Let a side's total be m/(1-g): m without the collector, g the collector's
// share. The log ratio of the totals is that of the m, which M estimates,
// plus log(1-g) of the baseline minus log(1-g) of the candidate. With g between
// 0 and a bound G on both sides, the totals differ from M by at most
// -log(1-G), in either direction.
//
// The bound does not trust the small number that was seen. Between two
// collections lies a span of allocation; a launch that saw k of them has
// therefore made garbage for fewer than k+1. Each is charged at the price of
// the dearest one that either side saw.

// fewestPrices is the number of collections that must have been seen, on the
// side that collects more, for the dearest of them to stand for the others.
const fewestPrices = 3

// cheapShare is the bound G on one clock: the share of the time that the
// collector can have taken at most on either side. ok is false where too few
// collections were seen to know a price, or the launches lack the columns.
func cheapShare(ls []*launch, k clock) (share float64, ok bool) {
	var total, most [2]float64
	seen, dearest := [2]int{}, 0.0
	for _, l := range ls {
		ps := pairsOf(l.rec, k)
		if ps == nil || len(l.rec.Baseline.GCCPU) == 0 || len(l.rec.Candidate.GCCPU) == 0 {
			return 0, false
		}
		sum, n := sums(ps)
		for side, c := range []*study.Columns{&l.rec.Baseline, &l.rec.Candidate} {
			total[side] += sum[side] * float64(l.rec.Ops(study.Sides[side]))
			most[side] += float64(n[side] + 1)
			seen[side] += n[side]
			for i, ns := range c.GCCPU {
				if g := ps[i].cycles[side]; g > 0 {
					dearest = max(dearest, float64(ns)/float64(g))
				}
			}
		}
	}
	if max(seen[0], seen[1]) < fewestPrices || dearest <= 0 || total[0] <= 0 || total[1] <= 0 {
		return 0, false
	}
	return max(most[0]*dearest/total[0], most[1]*dearest/total[1]), true
}

// ruleCheap lets M decide where collections were too few to know their price
// and yet so cheap that it cannot matter. It looks at the launches of the long
// form in their order and stops at the first that answers: with so many
// collections that their price is known, the total decides as ever.
func (t *trial) ruleCheap(r ruling, why doubts) (ruling, bool) {
	if !why.few || why.rare {
		return r, false
	}
	k := t.e.chooseClock(r.used, mWall)
	if k == cpu && !hasCPU(r.used) {
		k = wall
	}
	bearable := max(t.e.rule.Band/2, math.Abs(mean(values(r.used, mWall.on(k))))/4)
	longs := t.e.longs
	if looks := t.e.rule.LongLooks; len(looks) > 0 {
		longs = longs[:min(len(longs), looks[len(looks)-1])]
	}
	for j := 0; j <= len(longs); j++ {
		seen := append(append([]*launch(nil), r.used...), longs[:j]...)
		n := cycles(seen)
		if max(n[0], n[1]) >= t.e.rule.MinCycles {
			return r, false
		}
		g, ok := cheapShare(seen, k)
		off := -math.Log1p(-g)
		if !ok || !(g < 1) || off > bearable {
			continue
		}
		return t.withoutCollector(r, mWall.on(k), off, n)
	}
	return r, false
}

// withoutCollector is the ruling by M with an error of up to off for what the
// collector took. false if M says nothing after all its looks: then the total
// may.
func (t *trial) withoutCollector(r ruling, m metric, off float64, n [2]int) (ruling, bool) {
	have := len(t.e.launches)
	d := replay(t.e.rule.Looks, have, t.e.rule.Band, func(n int) interval {
		iv := over(values(t.e.launches[:n], m), t.e.alpha(n)).widen(off)
		iv.contested = t.e.contested(t.e.launches[:n], m, iv)
		return iv
	})
	if d.class == study.Unresolved && !d.open {
		return r, false
	}
	out := ruling{decision: d, metric: m, time: d.class, used: t.e.launches[:d.n]}
	t.res.Cycles = n
	out.guards = []study.Reason{{Code: study.ReasonCheap, Share: math.Expm1(off), Counts: &n}}
	if d.open {
		out.want = t.e.ask(t.e.main)
	}
	return out, true
}
