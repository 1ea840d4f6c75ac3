package stat

import (
	"fmt"
	"math"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// trial is one comparison on its way to a result.
type trial struct {
	plan     *study.Plan
	c        study.Comparison
	rule     study.Rule
	main     study.Form
	recs     []*study.Record // of the comparison, each once, by form, build, launch
	launches []*launch       // of the main form on plain builds
	longs    []*launch       // of the long form
	res      study.Result
}

// ruling is what is known of time, and what is doubted.
type ruling struct {
	decision                // of the metric, by the looks
	metric   metric         // that decides
	time     study.Class    // decision.class, unless a guard took it back
	used     []*launch      // that the decision rests on
	guards   []study.Reason // why a class was taken back, or stands
	want     *study.Want    // the next launch, nil if none is needed
	missing  float64        // seconds that the guards still ask for
	hopeless bool           // more launches would not help
}

// doubt takes the class back.
func (r *ruling) doubt(why study.Reason) {
	r.time = study.Unresolved
	r.guards = append(r.guards, why)
}

func newTrial(p study.Plan, c study.Comparison, recs []*study.Record) *trial {
	t := &trial{plan: &p, c: c, rule: p.Rule, main: mainForm(p, c), recs: recs}
	t.launches = t.good(t.main, 0)
	t.longs = t.good(study.FormLong, 0)
	return t
}

// good lists the launches of a form and build that did not fail.
func (t *trial) good(f study.Form, layout int) []*launch {
	var ls []*launch
	for _, r := range t.recs {
		if r.Form == f && r.Layout == layout && r.Status == study.StatusOK {
			ls = append(ls, &launch{rec: r})
		}
	}
	return ls
}

// next is the first launch of a form and build that nobody recorded.
func (t *trial) next(f study.Form, layout int) int {
	n := 0
	for _, r := range t.recs {
		if r.Form == f && r.Layout == layout && r.Launch == n {
			n++
		}
	}
	return n
}

func (t *trial) ask(f study.Form, layout int) *study.Want {
	return &study.Want{Form: f, Layout: layout, Launch: t.next(f, layout)}
}

// setting is an environment variable of the processes.
func (t *trial) setting(name string) (value string, ok bool) {
	for _, list := range [][]string{t.plan.Env, t.c.Cell} { // the cell has the last word
		for _, kv := range list {
			if v, found := strings.CutPrefix(kv, name+"="); found {
				value, ok = v, true
			}
		}
	}
	return value, ok
}

// judge is the rule from front to back.
func (t *trial) judge() study.Result {
	t.describe()
	if t.unmeasured() {
		return t.end()
	}
	if broken := t.brokenClaims(); len(broken) > 0 {
		t.count(t.launches[:1])
		t.res.Verdict = study.Invalid
		t.res.Reasons = append(broken, study.Said(t.c.Escape...)...)
		return t.end()
	}
	r := t.ruleBursts()
	seen := r.used
	t.count(seen)
	r = t.ruleLong(r)
	t.checkSpread(&r)
	allocs, bytes := counters(seen)
	memory, bytesFell := memoryClass(allocs, bytes)
	t.res.Memory = memory
	figures := t.judgeFigures(seen)
	if memory == study.Same && !countedMove(figures) {
		t.checkLayout(&r)
	}
	t.res.Time = r.time
	t.res.Verdict = verdictWith(r.time, memory, bytesFell, figures)
	against := t.againstClock(r)
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
		r.guards = append(r.guards, t.clocksDiffer(r)...)
	}
	t.explain(r, against)
	return t.end()
}

// describe copies what does not depend on the outcome.
func (t *trial) describe() {
	t.res = study.Result{
		Comparison: t.c.ID, Benchmark: t.c.Benchmark, Arm: t.c.Arm, Baseline: t.c.Baseline, Cell: t.c.Cell,
		Expect: t.c.Expect, Foreign: -1, Launches: len(t.recs),
	}
	for _, r := range t.recs {
		t.res.Spent += seconds(r.Seconds)
	}
	t.res.Notes = t.notes()
}

// unmeasured handles what has no numbers to judge.
func (t *trial) unmeasured() bool {
	t.res.Verdict = study.NotMeasured
	if t.c.Invalid != "" {
		t.res.Verdict = study.Invalid
		t.res.Reasons = study.Said(append([]string{t.c.Invalid}, t.c.Escape...)...)
		return true
	}
	if t.c.Unsafe != "" {
		t.res.Verdict = study.Unsafe
		t.res.Reasons = study.Said(t.c.Unsafe)
		return true
	}
	if t.c.Failed != nil {
		t.fail(*t.c.Failed)
		return true
	}
	if len(t.recs) == 0 && t.c.Skipped != "" {
		t.res.Reasons = study.Said(t.c.Skipped)
		return true
	}
	if f := t.failure(); f != nil {
		t.fail(*f)
		return true
	}
	if len(t.launches) == 0 {
		t.res.Reasons = []study.Reason{{Code: study.ReasonNotReached}}
		t.res.Want = t.ask(t.main, 0)
		return true
	}
	return false
}

// fail notes that a side cannot be measured.
func (t *trial) fail(f study.Failure) {
	t.res.Failed = &f
	t.res.Reasons = []study.Reason{{Code: study.ReasonFailed, Side: f.Side, Text: f.Text}}
}

// failure is the launch that failed, nil if none did. A baseline that fails is
// the user's to repair, so it is named before an arm.
func (t *trial) failure() *study.Failure {
	var candidate *study.Failure
	for _, r := range t.recs {
		if r.Status == study.StatusOK {
			continue
		}
		f := study.Failure{Side: "baseline", Binary: t.c.BaselineBench.Binary, Benchmark: t.c.BaselineBench.Leaf, Text: r.Error}
		if f.Text == "" {
			f.Text = fmt.Sprintf("launch %d ended with status %q", r.Launch, r.Status)
		}
		if r.FailedSide != study.Candidate.String() {
			return &f
		}
		if candidate == nil {
			f.Side, f.Binary, f.Benchmark = "candidate", t.c.CandidateBench.Binary, t.c.CandidateBench.Leaf
			candidate = &f
		}
	}
	return candidate
}

// ruleBursts replays the looks over the launches of the main form.
func (t *trial) ruleBursts() ruling {
	have := len(t.launches)
	at := func(n int, alpha float64) interval {
		m := t.choose(t.launches[:n])
		iv := over(values(t.launches[:n], m), alpha)
		if m == rateCPU {
			iv = iv.widen(t.priced(t.launches[:n]))
		}
		return iv
	}
	d, screened := t.screen(at)
	if !screened {
		d = replay(t.looks(), have, t.rule.Band, func(n int) interval { return at(n, t.alpha(n)) })
	}
	r := ruling{decision: d, time: d.class, used: t.launches[:d.n]}
	r.metric = t.choose(r.used)
	if d.open {
		r.want = t.ask(t.main, 0)
	}
	return r
}

// screen is the first look, at few launches and with an alpha of its own: it
// decides where time moves by more than any code layout could make.
func (t *trial) screen(at func(n int, alpha float64) interval) (d decision, ok bool) {
	n := t.rule.Screen
	if n < 2 || len(t.launches) < n || t.main == study.FormRate {
		return d, false
	}
	iv := at(n, t.rule.ScreenAlpha)
	if !beyond(iv, max(t.rule.LayoutBound, t.rule.Band)) {
		return d, false
	}
	return decision{interval: iv, class: iv.classify(t.rule.Band), decided: n}, true
}

// alpha is that of a look at n launches.
func (t *trial) alpha(n int) float64 {
	if n > t.rule.LateFrom {
		return t.rule.LateAlpha
	}
	return t.rule.Alpha
}

// looks are those of the main form. A paced launch takes as long as one of the
// long form, or longer, and is looked at as often.
func (t *trial) looks() []int {
	if t.main == study.FormRate && len(t.rule.LongLooks) > 0 {
		return t.rule.LongLooks
	}
	return t.rule.Looks
}

// againstClock is the second opinion on totals: wall and CPU time that are
// both resolved and disagree in direction are a trade between latency and
// load. nil if there is none.
func (t *trial) againstClock(r ruling) *study.Reason {
	if t.main == study.FormRate || r.metric.on(wall) == mWall || t.oneProcessor() || (r.time != study.Better && r.time != study.Worse) {
		return nil
	}
	o := over(values(r.used, r.metric.other()), t.alpha(len(r.used)))
	if c := o.classify(t.rule.Band); !opposite(c, r.time) {
		return nil
	}
	return &study.Reason{
		Code: study.ReasonClocksDisagree, Estimator: r.metric.estimator(), Estimate: effect(r.interval),
		Other: r.metric.other().estimator(), OtherEstimate: effect(o),
	}
}

// clocksDiffer shows both clocks where each of them is resolved and they are
// of different classes.
func (t *trial) clocksDiffer(r ruling) []study.Reason {
	if t.main == study.FormRate || !resolved(r.time) || !hasCPU(r.used) || len(r.used) < 2 {
		return nil
	}
	o := over(values(r.used, r.metric.other()), t.alpha(len(r.used)))
	c := o.classify(t.rule.Band)
	if !resolved(c) || c == r.time {
		return nil
	}
	return []study.Reason{{
		Code: study.ReasonClocksDiffer, Class: r.time, Estimator: r.metric.estimator(), Estimate: effect(r.interval),
		OtherClass: c, Other: r.metric.other().estimator(), OtherEstimate: effect(o),
	}}
}

func opposite(a, b study.Class) bool {
	return a == study.Better && b == study.Worse || a == study.Worse && b == study.Better
}

// end fills what every result has.
func (t *trial) end() study.Result {
	t.res.AsExpected = asExpected(t.res.Verdict, t.c.Expect)
	return t.res
}

// asExpected is nil where there is nothing to compare: an INCONCLUSIVE result
// that nobody expected refutes nothing.
func asExpected(v study.Verdict, expect []study.Verdict) *bool {
	member := false
	for _, e := range expect {
		member = member || e == v
	}
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
	if h := r.half(); !math.IsNaN(h) {
		t.res.Detectable = math.Expm1(h)
	}
	if r.hopeless {
		return
	}
	spent := float64(t.res.Spent)
	all := spent + r.missing*1e9
	if r.decided == 0 {
		// The half-width falls with the square root of the time.
		if h := r.half(); !math.IsNaN(h) && t.rule.Band > 0 {
			all = max(all, spent*(h/t.rule.Band)*(h/t.rule.Band))
		}
		least := max(1, t.looks()[0]-r.n)
		all = max(all, spent+float64(least)*float64(seconds(meanSeconds(r.used))))
	}
	t.res.NeedTime = study.Duration(min(all, math.MaxInt64/2))
}

// meanSeconds is the real time of a launch.
func meanSeconds(ls []*launch) float64 {
	sum := 0.0
	for _, l := range ls {
		sum += l.rec.Seconds
	}
	return sum / float64(len(ls))
}
