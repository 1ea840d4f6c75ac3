package stat

import (
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// A verdict is about what an operation takes in the mean over a long run. M is a
// median, and T takes each burst without a collection for the typical one: both
// leave out work that comes less often than every second burst, be it a flush, a
// table that grows, or a cache that expires. So their class stands only if the
// plain sums of the launches agree with it. The sums hold every disturbance of
// the machine too, and are several times as noisy, so that they are asked three
// weak questions in place of a verdict of their own.
const (
	rareAlpha = 0.01 // two-sided, of the interval of what the sums add
	soakSDs   = 4    // standard deviations of the other launches beyond which the first, which is longer, differs
	rareShare = 0.25 // of the effect: what the sums add below this changes its second digit
)

// sumClock is the clock on which the sums are asked: that of the metric, or CPU
// time where it stands for wall time, because other programs are not in it.
func sumClock(ls []*launch, m metric) clock {
	if cpuStands(ls) {
		return cpu
	}
	return m.clock()
}

// contested tells whether the sums of the launches gainsay the class of an
// interval: time that stays the same adds up to a difference, or a difference
// adds up to none.
func (e *evidence) contested(ls []*launch, m metric, iv interval) bool {
	if e.main != study.FormBursts {
		return false
	}
	s, band := e.summed(ls, m, iv), e.rule.Band
	switch c := iv.classify(band); {
	case math.IsNaN(s) || !resolved(c):
		return false
	case moves(c):
		return math.Copysign(1, iv.mean)*s < band/2
	}
	return math.Abs(s) > band
}

// summed is the mean of an interval with what the sums add to it: a launch counts by its length.
func (e *evidence) summed(ls []*launch, m metric, iv interval) float64 {
	s, bursts := 0.0, 0.0
	for i, d := range added(ls, m.on(sumClock(ls, m))) {
		n := float64(ls[i].rec.Baseline.Len())
		s, bursts = s+n*d, bursts+n
	}
	return iv.mean + s/bursts
}

// rare returns what the sums add to the metric where this is certain enough to ask for
// more: in the mean over launches, or in the first one, whose processes live
// longest. As a log ratio; 0 where there is nothing.
func (e *evidence) rare(ls []*launch, m metric) float64 {
	if e.main != study.FormBursts || len(ls) < e.rule.Looks[0] {
		return 0
	}
	matters := max(e.rule.Band, rareShare*math.Abs(mean(values(ls, m))))
	for _, k := range []clock{m.clock(), sumClock(ls, m)} {
		d := over(added(ls, m.on(k)), rareAlpha)
		if math.Abs(d.mean) > matters && (d.lo > 0 || d.hi < 0) {
			return d.mean
		}
	}
	if ls[0].rec.Pairs == 0 {
		return 0
	}
	d := added(ls, m.on(sumClock(ls, m)))
	if math.Abs(d[0]) > matters+soakSDs*deviation(d[1:]) {
		return d[0]
	}
	return 0
}

// added returns, for each launch, the difference between the plain sums and the metric.
func added(ls []*launch, m metric) []float64 {
	ds, ms := values(ls, sumWall.on(m.clock())), values(ls, m)
	for i := range ds {
		ds[i] -= ms[i]
	}
	return ds
}
