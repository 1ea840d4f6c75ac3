package run

import (
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func (r *Run) wanted(i int) bool {
	c := r.Plan.Comparisons[i]
	return plan.Measurable(c) && c.Skipped == "" && r.Results[i].Want != nil
}

// affordable reports whether the budget has room for the launch that the
// comparison wants.
func (r *Run) affordable(i int) bool {
	left := r.o.Budget - r.spent
	return left > 0 && left >= r.price(i)*9/10
}

// price is what the launch that a comparison wants is expected to take: as long
// as the last one of its form, or, before the first, what calibrating takes and
// the launch itself.
func (r *Run) price(i int) time.Duration {
	c, want := r.Plan.Comparisons[i], r.Results[i].Want
	key := shapeKey(c.ID, want.Form)
	if last, known := r.last[key]; known {
		return last
	}
	once := r.bs.Once(c.BaselineBench) + r.bs.Once(c.CandidateBench)
	switch {
	case want.Form == study.FormRate:
		return c.Pace.Launch()
	case want.Form == study.FormLong:
		long := 2 * time.Duration(r.Plan.Rule.LongBurst) * time.Duration(r.Plan.Rule.LongPairs)
		return max(2*once, min(long, r.limit()))
	}
	return 2 * once // to find out how long it takes, and one pair
}

// limit is how long a launch may take where fewer pairs can shorten it: what is
// left of the budget should do for the first looks at each comparison that is
// not decided.
func (r *Run) limit() time.Duration {
	open := 0
	for i := range r.Plan.Comparisons {
		if r.wanted(i) {
			open++
		}
	}
	first := time.Duration(r.Plan.Rule.Looks[0] + 1) // calibrating takes as long as a launch
	return max(shortest, (r.o.Budget-r.spent)/time.Duration(max(1, open))/first)
}

// share is what a comparison may use before others that wait for their first
// look: twice an equal part of the budget, for most comparisons are decided with
// less, and never too little for the first looks at one.
func (r *Run) share() time.Duration {
	n := 0
	for _, c := range r.Plan.Comparisons {
		if plan.Measurable(c) {
			n++
		}
	}
	return max(4*plan.ComparisonCost, 2*r.o.Budget/time.Duration(max(1, n)))
}

// shortest is a launch of the usual shape: nothing is won by making it shorter.
const shortest = 600 * time.Millisecond

// admit lets the next comparison in that the budget was thought not to reach,
// if enough of it is left after all. It is judged again, for the rule wants
// nothing of a comparison that is skipped.
func (r *Run) admit() (more bool, err error) {
	if r.o.Budget-r.spent < plan.ComparisonCost/2 {
		return false, nil
	}
	for i := range r.Plan.Comparisons {
		c := &r.Plan.Comparisons[i]
		if c.Skipped != "" && plan.Measurable(*c) {
			c.Skipped = ""
			return true, r.judge(i)
		}
	}
	return false, nil
}

// shapeKey is a comparison in a form.
func shapeKey(comparison string, form study.Form) string {
	return string(form) + " " + comparison
}
