package run

import (
	"math"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// The budget is to decide as many comparisons as it can. So the next launch is
// always one of the comparison that is nearest to its decision: the order in
// which the most jobs are finished at any time is that of their remaining work.
// What a comparison still needs is known from its first look on, and roughly after
// one launch; before, it is what the others took until their first look. As nothing is
// known of a comparison that was not measured, none that needs more than a first look
// keeps another one from its own.

// next picks the comparison that gets the next launch.
func (r *Run) next() (i int, ok bool) {
	var best turn
	for k := range r.Plan.Comparisons {
		if !r.open(k) || !r.affordable(k) {
			continue
		}
		if t := r.turnOf(k); !ok || t.before(best) {
			i, best, ok = k, t, true
		}
	}
	return i, ok
}

// open reports whether a launch could decide a comparison, or bring it nearer.
func (r *Run) open(i int) bool {
	c := r.Plan.Comparisons[i]
	if !plan.Measurable(c) {
		return false
	}
	if c.Skipped != "" { // the budget was thought not to reach it
		return r.left() >= r.need(i)/2
	}
	return r.Results[i].Want != nil
}

// turn orders comparisons: the least comes first.
type turn struct {
	beyond bool // what is left of the budget will hardly decide it
	judged bool // by its memory: only its time is open
	late   bool // by the plan
	need   time.Duration
}

func (r *Run) turnOf(i int) turn {
	need := r.need(i)
	want := r.Results[i].Want
	unlikely := want != nil && want.Unlikely
	return turn{beyond: unlikely || need > r.left(), judged: r.Results[i].Verdict.Decided(), late: r.Plan.Comparisons[i].Late, need: need + r.linking(i)}
}

// before reports whether t comes first: what can be decided before what cannot, of both
// what has no verdict, and then what is not late.
func (t turn) before(u turn) bool {
	switch {
	case t.beyond != u.beyond:
		return !t.beyond
	case t.judged != u.judged:
		return !t.judged
	case t.late != u.late:
		return !t.late
	}
	return t.need < u.need
}

// need estimates the time until a comparison is decided: until the
// first look at the launches that it wants, for before it nothing can be known of
// them, and then what the rule says.
//
// What the rule expects after a look can be wrong for ever: a change as large as
// the band needs little more each time. So what has used much without a decision
// is expected to need half as much again.
func (r *Run) need(i int) time.Duration {
	c, res := r.Plan.Comparisons[i], r.Results[i]
	used := r.used[c.ID]
	if used == 0 {
		return r.firstLook(c)
	}
	if have, first := r.looks(*res.Want); have < first {
		return time.Duration(max(first, r.likely(i, first))-have) * r.price(i)
	}
	return max(time.Duration(res.NeedTime-res.Spent), r.price(i), used/2)
}

// likely is how many launches the decision takes, first at least, by what the bursts
// of those so far differ among themselves: launches differ by that much or more.
func (r *Run) likely(i, first int) int {
	s := r.shapeOf(i)
	if s == nil || r.wants(i).Form != study.FormBursts {
		return first
	}
	half := errorsOfHalf * r.pairSE(i) / math.Sqrt(float64(s.Pairs*first))
	if !(half > r.margin(i)) {
		return first
	}
	return int(min(1000, float64(first)*math.Pow(half/r.margin(i), 2)))
}

// errorsOfHalf is about how many standard errors half of an interval at a first look is:
// 5.5 of four launches at 0.012, 4.8 of eight builds at 0.002.
const errorsOfHalf = 5

// looks is how many launches there are of the kind that is wanted, and with how
// many of them the rule looks first.
func (r *Run) looks(w study.Want) (have, first int) {
	rule := r.Plan.Rule
	switch {
	case w.Layout > 0:
		return w.Layout - 1, rule.PaddedLooks[0]
	case w.Form == study.FormMany: // one may be enough
		return w.Launch, 1
	case w.Form == study.FormStretch, w.Form == study.FormRate && len(rule.LongLooks) > 0:
		return w.Launch, rule.LongLooks[0]
	}
	return w.Launch, rule.Looks[0]
}

// firstLook estimates the time of a comparison that was not measured until
// its first look: as much as the others, unless its operations take longer.
func (r *Run) firstLook(c study.Comparison) time.Duration {
	if c.Pace != nil {
		return plan.Cost(c, r.bs.Once)
	}
	usual := plan.ComparisonCost
	if r.first.launches > 0 && r.later.launches > 0 {
		usual = r.first.each() + r.later.each()*time.Duration(r.Plan.Rule.Looks[0]-1)
	}
	if cost := plan.Cost(c, r.bs.Once); cost > plan.ComparisonCost {
		return max(usual, cost)
	}
	return usual
}

// linking estimates the time to link the padded builds that a comparison waits for:
// all that wait for the same builds share it, and as many of those that were not
// looked at as may be expected to. It is no measuring time, and delays all verdicts.
func (r *Run) linking(i int) time.Duration {
	jobs := len(r.missing(i))
	if jobs == 0 {
		return 0
	}
	c, waiting, looked, fresh := r.Plan.Comparisons[i], 0, 0, 0
	for k, o := range r.Plan.Comparisons {
		if !plan.Measurable(o) || o.BaselineBench.Binary != c.BaselineBench.Binary || o.CandidateBench.Binary != c.CandidateBench.Binary {
			continue
		}
		switch w := r.Results[k].Want; {
		case r.used[o.ID] == 0:
			fresh++
		case w != nil && w.Layout > 0:
			waiting++
			looked++
		default:
			looked++
		}
	}
	return time.Duration(jobs) * r.linkTime * time.Duration(looked) / time.Duration(waiting*(looked+fresh))
}
