package stat

import (
	"math"
	"slices"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// trial is one comparison on its way to a result: what is known of it, and the
// result so far.
type trial struct {
	e   *evidence
	res study.Result
}

func newTrial(p study.Plan, c study.Comparison, recs []*study.Record) *trial {
	return &trial{e: newEvidence(p, c, recs)}
}

// judge is the rule from front to back.
func (t *trial) judge() study.Result {
	t.describe()
	if t.unmeasured() {
		return t.end()
	}
	if broken := t.e.brokenClaims(); len(broken) > 0 {
		t.count(t.e.launches[:1])
		t.res.Verdict = study.Invalid
		t.res.Reasons = append(broken, study.Said(t.e.c.Escape...)...)
		return t.end()
	}
	r := t.e.ruleBursts()
	seen := r.used
	t.count(seen)
	r = t.ruleLong(r)
	t.checkSpread(&r)
	t.checkCourse(&r)
	t.checkMany(&r)
	allocs, bytes := counters(seen)
	memory, bytesFell := memoryClass(t.e.rule, allocs, bytes)
	t.res.Memory = memory
	figures := t.judgeFigures(seen)
	r.other = t.e.onOtherClock(r)
	if !countedMove(figures) { // no layout makes a count
		t.checkLayout(&r, memory)
	}
	t.res.Time = r.time
	t.res.Verdict = verdictBy(r.time, r.interval, t.e.rule.Band, memory, bytesFell, figures)
	against := t.e.againstClock(r)
	if against != nil {
		t.res.Verdict = study.TradeOff
	}
	if r.want == nil {
		r.want = t.wantFigure()
	}
	t.res.Want = r.want
	t.show(r, seen)
	t.need(r)
	t.needFigures(r)
	if against == nil {
		if r.contested && r.time == study.Unresolved {
			r.guards = append(r.guards, study.Reason{Code: study.ReasonSums, Share: math.Expm1(t.e.summed(r.used, r.metric, r.interval))})
		}
		r.guards = append(r.guards, t.e.clocksDiffer(r)...)
		r.guards = append(r.guards, t.e.unpaid(r)...)
	}
	t.explain(r, against)
	return t.end()
}

// describe copies what does not depend on the outcome.
func (t *trial) describe() {
	t.res = study.Result{
		Comparison: t.e.c.ID, Benchmark: t.e.c.Benchmark, Arm: t.e.c.Arm, Baseline: t.e.c.Baseline, Cell: t.e.c.Cell, Isolated: t.e.c.Isolated,
		Expect: t.e.c.Expect, Foreign: -1, Launches: len(t.e.recs),
	}
	for _, r := range t.e.recs {
		t.res.Spent += seconds(r.Seconds)
	}
	t.res.Notes = t.e.notes()
}

// unmeasured handles what has no numbers to judge.
func (t *trial) unmeasured() bool {
	t.res.Verdict = study.NotMeasured
	failure := t.e.c.Failed
	if failure == nil {
		failure = t.e.failure()
	}
	switch {
	case t.e.c.Invalid != "":
		t.res.Verdict = study.Invalid
		t.res.Reasons = study.Said(append([]string{t.e.c.Invalid}, t.e.c.Escape...)...)
	case t.e.c.Unsafe != "":
		t.res.Verdict = study.Unsafe
		t.res.Reasons = study.Said(t.e.c.Unsafe)
	case t.e.c.Failed == nil && len(t.e.recs) == 0 && t.e.c.Skipped != "":
		t.res.Reasons = study.Said(t.e.c.Skipped)
	case failure != nil: // a side cannot be measured
		f := *failure
		t.res.Failed = &f
		t.res.Reasons = []study.Reason{{Code: study.ReasonFailed, Side: f.Side, Text: f.Text}}
	case len(t.e.launches) == 0:
		t.res.Reasons = []study.Reason{{Code: study.ReasonNotReached}}
		t.res.Want = t.e.ask(t.e.main)
	default:
		return false
	}
	return true
}

// ruleBursts replays the looks over the launches of the main form.
func (e *evidence) ruleBursts() ruling {
	have := len(e.launches)
	at := func(n int, alpha float64) interval {
		ls := e.launches[:n]
		m := e.choose(ls)
		iv := over(values(ls, m), alpha)
		if m == rateCPU {
			iv = iv.widen(e.priced(ls))
		}
		iv.contested = e.contested(ls, m, iv)
		return iv
	}
	d, screened := e.screen(at)
	if !screened {
		d = replay(e.looks(), have, e.rule.Band, func(n int) interval { return at(n, e.alpha(n)) })
	}
	r := ruling{decision: d, time: d.class, used: e.launches[:d.n]}
	r.metric = e.choose(r.used)
	if d.open {
		r.want = e.ask(e.main)
	}
	return r
}

// screen is the first look, at few launches and with an alpha of its own: it
// decides where time moves by more than any code layout could make.
func (e *evidence) screen(at func(n int, alpha float64) interval) (d decision, ok bool) {
	n := e.rule.Screen
	if n < 2 || len(e.launches) < n || e.main == study.FormRate {
		return d, false
	}
	iv := at(n, e.rule.ScreenAlpha)
	if iv.contested || !beyond(iv, max(e.rule.LayoutBound, e.rule.Band)) {
		return d, false
	}
	return decision{interval: iv, class: iv.classify(e.rule.Band), decided: n}, true
}

// onOtherClock is the interval of the ruling's kind on the clock that did not
// decide. n is 0 where that clock has no say: at a fixed rate, or where the
// collector's CPU time is overcharged.
func (e *evidence) onOtherClock(r ruling) interval {
	m := r.metric.other()
	switch {
	case e.main != study.FormBursts || len(r.used) < 2 || !hasCPU(r.used) || m.on(wall) != mWall && e.oneProcessor():
		return interval{}
	case m.on(wall) == longWall:
		return overStretches(r.bursts, r.used, m.clock(), e.alpha(len(r.used)))
	}
	return over(values(r.used, m), e.alpha(len(r.used)))
}

// againstClock is the second opinion: wall and CPU time that are both resolved and
// disagree in direction are a trade between latency and load. nil if there is
// none.
func (e *evidence) againstClock(r ruling) *study.Reason {
	if c := r.other.classify(e.rule.Band); r.other.n == 0 || !opposite(c, r.time) {
		return nil
	}
	return clocks(r, study.ReasonClocksDisagree)
}

// clocksDiffer shows both clocks where each of them is resolved and they are
// of different classes.
func (e *evidence) clocksDiffer(r ruling) []study.Reason {
	c := r.other.classify(e.rule.Band)
	if r.other.n == 0 || !resolved(r.time) || !resolved(c) || c == r.time {
		return nil
	}
	why := clocks(r, study.ReasonClocksDiffer)
	why.Class, why.OtherClass = r.time, c
	return []study.Reason{*why}
}

// clocks gives what both clocks say.
func clocks(r ruling, code study.ReasonCode) *study.Reason {
	return &study.Reason{
		Code: code, Estimator: r.metric.estimator(), Estimate: effect(r.interval),
		Other: r.metric.other().estimator(), OtherEstimate: effect(r.other),
	}
}

// end fills what every result has.
func (t *trial) end() study.Result {
	t.res.AsExpected = asExpected(t.res.Verdict, t.e.c.Expect)
	return t.res
}

// asExpected is nil where there is nothing to compare: an INCONCLUSIVE result
// that was not expected refutes nothing.
func asExpected(v study.Verdict, expect []study.Verdict) *bool {
	member := slices.Contains(expect, v)
	if len(expect) == 0 || v == study.NotMeasured || v == study.Inconclusive && !member {
		return nil
	}
	return &member
}

// need says what it would take to resolve what is not.
func (t *trial) need(r ruling) {
	if r.time != study.Unresolved && t.res.Verdict != study.Inconclusive {
		return
	}
	open := r.interval // what more launches would narrow
	if r.padded.n > 0 {
		open = r.padded
	}
	if h := open.half(); !math.IsNaN(h) && open.n >= t.e.looks()[0] {
		t.res.Detectable = math.Expm1(h)
	}
	if r.hopeless {
		return
	}
	spent := float64(t.res.Spent)
	all := spent + r.missing*1e9
	if r.decided == 0 {
		first := t.e.looks()[0]
		if r.metric.on(wall) == longWall && len(t.e.rule.LongLooks) > 0 {
			first = t.e.rule.LongLooks[0]
		}
		// The half-width falls with the square root of the launches; before the first look
		// it says little.
		if h := r.half() / Margin(r.mean, t.e.rule.Band); r.n >= first && h > 1 {
			all = max(all, spent+float64(r.n)*(h*h-1)*float64(seconds(meanSeconds(r.used[1:])))) // the first is longer
		}
		least := max(1, first-r.n)
		all = max(all, spent+float64(least)*float64(seconds(meanSeconds(r.used))))
	}
	t.res.NeedTime = study.Duration(min(all, math.MaxInt64/2))
}

// seconds converts a record's real time.
func seconds(s float64) study.Duration { return study.Duration(s * float64(time.Second)) }

// meanSeconds is the real time of a launch.
func meanSeconds(ls []*launch) float64 {
	sum := 0.0
	for _, l := range ls {
		sum += l.rec.Seconds
	}
	return sum / float64(len(ls))
}
