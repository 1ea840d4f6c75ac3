package stat

import (
	"math"
	"slices"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// The long form. Each side works alone for a while in a row, so that whole
// collections are in it, what comes rarely, and what comes by the clock, as often
// as in a program that runs by itself. But machines change their speed within
// seconds: sums of two stretches of the same program differ by 10 %. So a stretch
// is not compared with the other side's but with its own typical burst. M says how
// the typical bursts compare, from pairs a millisecond apart, and the stretches
// add what each side takes beyond that:
//
//	log(mean'/mean) = log(typical'/typical) + log(mean'/typical') - log(mean/typical)

// beyondTypical is the second part: how much more, as a log ratio, the candidate
// takes beyond its typical burst than the baseline does beyond its own.
func beyondTypical(ps []pair) float64 {
	var beyond [2]float64
	for side := range 2 {
		sum, typical := 0.0, 0.0
		windows := make([]float64, len(ps))
		for i, p := range ps {
			windows[i] = p.window[side]
			sum += p.total[side]
		}
		for _, m := range movingMedian(windows, len(windows)/eighth|1) {
			typical += m
		}
		beyond[side] = logRatio([2]float64{typical, sum})
	}
	return beyond[1] - beyond[0]
}

// eighth of a stretch is what a moving median is of: a slow spell of the machine
// that is longer moves it, one of the program that is shorter does not.
const eighth = 8

// movingMedian is the median of the width values around each, of the first or the
// last width at the ends.
func movingMedian(vs []float64, width int) []float64 {
	width = min(max(width, fewestTypical), len(vs))
	out := make([]float64, len(vs))
	around := slices.Sorted(slices.Values(vs[:width]))
	for i, from := 0, 0; i < len(vs); i++ {
		for next := min(max(0, i-width/2), len(vs)-width); from < next; from++ {
			at, _ := slices.BinarySearch(around, vs[from])
			around = slices.Delete(around, at, at+1)
			at, _ = slices.BinarySearch(around, vs[from+width])
			around = slices.Insert(around, at, vs[from+width])
		}
		out[i] = (around[(width-1)/2] + around[width/2]) / 2
	}
	return out
}

// fewestTypical is the least number of bursts whose median is called typical.
const fewestTypical = 5

// overStretches is the interval of the long form: M over the launches of the main
// form, with what the stretches add.
func overStretches(main, stretches []*launch, k clock, alpha float64) interval {
	return over(values(stretches, longWall.on(k)), alpha).plus(over(values(main, mWall.on(k)), alpha))
}

// doubts are reasons not to believe what short bursts give.
type doubts struct {
	reasons []study.Reason
	rare    bool          // the plain sums disagree: the first reason
	opposed bool          // the time between collections moves the other way: the first reason
	agrees  *study.Reason // few collections were seen, and garbage moves with the time between them
	few     bool          // too few collections were seen to know their price: the last one
}

// ruleLong asks for the long form where short bursts may be wrong about rare work
// or about the price of garbage, and lets it decide.
func (t *trial) ruleLong(r ruling) ruling {
	if t.e.main != study.FormBursts {
		return r
	}
	why := t.e.doubts(r)
	if len(why.reasons) == 0 {
		if why.agrees != nil {
			r.guards = append(r.guards, *why.agrees)
		}
		return r
	}
	if cheap, ok := t.ruleCheap(r, why); ok {
		return cheap
	}
	looks := t.e.rule.LongLooks
	if len(looks) == 0 {
		return t.withoutLong(r, why)
	}
	last := looks[len(looks)-1]
	longs := t.e.longs[:min(len(t.e.longs), last)]
	k := r.metric.clock()
	if !hasCPU(longs) {
		k = wall
	}
	d := replay(looks, len(longs), t.e.rule.Band, func(n int) interval { return overStretches(r.used, longs[:n], k, t.e.alpha(n)) })
	enough := t.enoughCycles(r.used, longs, d.n)
	why.few = why.few && !enough
	if d.open {
		r = t.withoutLong(r, why)
	} else {
		r = ruling{decision: d, metric: longWall.on(k), time: d.class, used: longs[:d.n], bursts: r.used}
		r.guards = []study.Reason{{Code: study.ReasonLongDecides, Because: why.reasons}}
		if why.few {
			r.doubt(study.Reason{Code: study.ReasonFewEvenLong, Count: t.e.rule.MinCycles})
			r.hopeless = len(longs) == last
		}
	}
	if (d.open || why.few) && len(longs) < last {
		r.want = t.e.ask(study.FormStretch)
		r.missing += float64(max(1, looks[0]-len(longs))) * t.e.longSeconds()
	}
	return r
}

// enoughCycles adds the collections of the long form to those of the bursts
// and shows the sum: of the launches that decided, and of as many more as the
// price of a collection needs.
func (t *trial) enoughCycles(used, longs []*launch, decided int) bool {
	n := cycles(used)
	for i, l := range longs {
		if i >= decided && max(n[0], n[1]) >= t.e.rule.MinCycles {
			break
		}
		c := cycles([]*launch{l})
		n = [2]int{n[0] + c[0], n[1] + c[1]}
	}
	t.res.Cycles = n
	return max(n[0], n[1]) >= t.e.rule.MinCycles
}

// withoutLong judges while the long form has not decided.
func (t *trial) withoutLong(r ruling, why doubts) ruling {
	last := len(why.reasons) - 1
	only := func(i int) study.Reason {
		return study.Reason{Code: study.ReasonOnlyLong, Because: why.reasons[i : i+1]}
	}
	switch {
	case why.rare:
		k := r.metric.clock()
		r.bursts = r.used
		if r.metric, r.interval = sumWall.on(k), over(values(r.used, sumWall.on(k)), t.e.alpha(len(r.used))); len(t.e.longs) > 2 {
			r.metric, r.used = longWall.on(k), t.e.longs
			r.interval = overStretches(r.bursts, r.used, k, t.e.alpha(len(r.used)))
		}
		r.class = study.Unresolved
		r.guards = append(r.guards, why.reasons[1:]...)
		r.doubt(only(0))
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
	if d := e.rareBeyond(r); d != 0 {
		why.rare = true
		say(study.Reason{Code: study.ReasonRare, Share: -math.Expm1(-math.Abs(d)), Side: study.Sides[bit(d > 0)].String()})
	}
	// Until then the bursts have their say about garbage.
	if r.metric.on(wall) == mWall || r.open && r.n < e.rule.LateFrom {
		return why
	}
	m := mWall.on(r.metric.clock())
	between := over(values(r.used, m), e.alpha(len(r.used))).classify(e.rule.Band)
	why.opposed = !why.rare && opposite(between, r.class)
	// A total that stays unresolved over all looks is another class too.
	if between != r.class && resolved(between) && r.class != study.NotWorse {
		say(study.Reason{Code: study.ReasonOpposed, Other: m.estimator(), OtherClass: between, Estimator: r.metric.estimator(), Class: r.class})
	}
	if d := drainPerCycle(r.used); d > float64(e.rule.Burst) {
		say(study.Reason{Code: study.ReasonLongCollections, Took: study.Duration(d), Slot: e.rule.Burst})
	}
	if n := cycles(r.used); max(n[0], n[1]) < e.rule.MinCycles && !e.neverCollects() {
		if !why.rare && garbageAgrees(r.used, between, r.class) {
			why.agrees = &study.Reason{Code: study.ReasonSameDirection, Counts: &n}
			return why
		}
		why.few = true
		say(study.Reason{Code: study.ReasonFewCollections, Counts: &n, Count: e.rule.MinCycles})
	}
	return why
}

// rareBeyond returns how much rare work adds, as far as the launches show it: as soon as it
// is certain, or where the sums go on to gainsay every class.
func (e *evidence) rareBeyond(r ruling) float64 {
	if d := e.rare(r.used, r.metric); d != 0 || !r.contested || r.n < e.rule.LateFrom {
		return d
	}
	return mean(added(r.used, r.metric.on(sumClock(r.used, r.metric))))
}

// opposite tells whether one class is better and the other worse.
func opposite(a, b study.Class) bool {
	return a == study.Better && b == study.Worse || a == study.Worse && b == study.Better
}

// bit is 1 for true.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
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
	return 2 * time.Duration(e.rule.Stretch+e.rule.Head).Seconds()
}

// neverCollects tells whether the environment turns the collector off. There
// garbage costs nothing, and waiting for collections would take for ever.
func (e *evidence) neverCollects() bool {
	gogc, _ := e.setting("GOGC")
	limit, limited := e.setting("GOMEMLIMIT")
	return gogc == "off" && (!limited || limit == "off")
}
