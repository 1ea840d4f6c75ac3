package stat

import (
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// doubts are reasons not to believe the total that short bursts give.
type doubts struct {
	reasons []study.Reason
	opposed bool          // the time between collections moves the other way: the first reason
	agrees  *study.Reason // few collections were seen, and garbage moves with the time between them
	few     bool          // too few collections were seen to know their price: the last one
}

// ruleLong asks for the long form where short bursts may be wrong about the
// price of garbage, and lets it decide. Bursts of 100 ms hold whole
// collections, and their plain sums need no model; they are noisier, so they
// come second and only where garbage differs and the bursts have had their
// say: they decided, or are still open after LateFrom launches.
func (t *trial) ruleLong(r ruling) ruling {
	if t.main != study.FormBursts || r.metric.on(wall) == mWall || r.open && r.n < t.rule.LateFrom {
		return r
	}
	why := t.doubts(r)
	if len(why.reasons) == 0 {
		if why.agrees != nil {
			r.guards = append(r.guards, *why.agrees)
		}
		return r
	}
	if cheap, ok := t.ruleCheap(r, why); ok {
		return cheap
	}
	looks := t.rule.LongLooks
	if len(looks) == 0 {
		return t.withoutLong(r, why)
	}
	last := looks[len(looks)-1]
	longs := t.longs[:min(len(t.longs), last)]
	k := r.metric.clock()
	if !hasCPU(longs) {
		k = wall
	}
	m := longWall.on(k)
	d := replay(looks, len(longs), t.rule.Band, func(n int) interval { return over(values(longs[:n], m), t.alpha(n)) })
	enough := t.enoughCycles(r.used, longs, d.n)
	why.few = why.few && !enough
	if d.open {
		r = t.withoutLong(r, why)
	} else {
		r = ruling{decision: d, metric: m, time: d.class, used: longs[:d.n]}
		r.guards = []study.Reason{{Code: study.ReasonLongDecides, Because: why.reasons}}
		if why.few {
			r.doubt(study.Reason{Code: study.ReasonFewEvenLong, Count: t.rule.MinCycles})
			r.hopeless = len(longs) == last
		}
	}
	if (d.open || why.few) && len(longs) < last {
		r.want = t.ask(study.FormLong, 0)
		r.missing += float64(max(1, looks[0]-len(longs))) * t.longSeconds()
	}
	return r
}

// enoughCycles adds the collections of the long form to those of the bursts
// and shows the sum: of the launches that decided, and of as many more as the
// price of a collection needs.
func (t *trial) enoughCycles(used, longs []*launch, decided int) bool {
	n := cycles(used)
	for i, l := range longs {
		if i >= decided && max(n[0], n[1]) >= t.rule.MinCycles {
			break
		}
		c := cycles([]*launch{l})
		n = [2]int{n[0] + c[0], n[1] + c[1]}
	}
	t.res.Cycles = n
	return max(n[0], n[1]) >= t.rule.MinCycles
}

// withoutLong is what can be said while the long form has not decided.
func (t *trial) withoutLong(r ruling, why doubts) ruling {
	last := len(why.reasons) - 1
	only := func(i int) study.Reason {
		return study.Reason{Code: study.ReasonOnlyLong, Because: why.reasons[i : i+1]}
	}
	switch {
	case why.opposed:
		r.guards = append(r.guards, why.reasons[1:]...)
		r.doubt(only(0))
	case why.few:
		r.guards = append(r.guards, why.reasons[:last]...)
		r.doubt(only(last))
	default:
		r.guards = append(r.guards, why.reasons...)
		r.guards = append(r.guards, study.Reason{Code: study.ReasonLongOpen, Estimator: r.metric.estimator()})
	}
	return r
}

func (e *evidence) doubts(r ruling) (why doubts) {
	say := func(reason study.Reason) { why.reasons = append(why.reasons, reason) }
	m := mWall.on(r.metric.clock())
	between := over(values(r.used, m), e.alpha(len(r.used))).classify(e.rule.Band)
	why.opposed = opposite(between, r.class)
	// A total that stays unresolved over all looks is another class too.
	if between != r.class && resolved(between) && r.class != study.NotWorse {
		say(study.Reason{Code: study.ReasonOpposed, Other: m.estimator(), OtherClass: between, Estimator: r.metric.estimator(), Class: r.class})
	}
	if d := drainPerCycle(r.used); d > float64(e.rule.Burst) {
		say(study.Reason{Code: study.ReasonLongCollections, Took: study.Duration(d), Slot: e.rule.Burst})
	}
	if n := cycles(r.used); max(n[0], n[1]) < e.rule.MinCycles && !e.neverCollects() {
		if garbageAgrees(r.used, between, r.class) {
			why.agrees = &study.Reason{Code: study.ReasonSameDirection, Counts: &n}
			return why
		}
		why.few = true
		say(study.Reason{Code: study.ReasonFewCollections, Counts: &n, Count: e.rule.MinCycles})
	}
	return why
}

// garbageAgrees tells whether the side that takes less time, between collections
// and with them, also makes less garbage. What its collections cost, which few
// of them cannot tell, then adds to the difference.
func garbageAgrees(ls []*launch, between, total study.Class) bool {
	if !moves(total) || between != total {
		return false
	}
	_, bytes := counters(ls)
	return !bytes.unsteady && direction(bytes) == total
}

// longSeconds is the real time of a launch of the long form.
func (e *evidence) longSeconds() float64 {
	if len(e.longs) > 0 {
		return meanSeconds(e.longs)
	}
	return 2.3 * time.Duration(e.rule.LongBurst).Seconds() * float64(e.rule.LongPairs) // two sides, warm-up
}

// neverCollects tells whether the environment turns the collector off. There
// garbage costs nothing, and waiting for collections would take for ever.
func (e *evidence) neverCollects() bool {
	gogc, _ := e.setting("GOGC")
	limit, limited := e.setting("GOMEMLIMIT")
	return gogc == "off" && (!limited || limit == "off")
}
