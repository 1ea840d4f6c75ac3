package experiment

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// ComparisonCost is what one comparison is expected to take: enough launches
// for the usual decision, and some of the long form.
const ComparisonCost = 8 * time.Second

// ExtendedShare is the budget of one comparison from which on the rule looks
// more often, at a smaller alpha: more launches than the usual twelve fit.
const ExtendedShare = 20 * time.Second

// spend marks the comparisons that the budget does not reach, from the end of
// the list: the first ones are measured well rather than all of them badly.
// The first that can be measured is always tried.
//
// once tells how long a benchmark takes for one operation with its set-up.
func spend(p *study.Plan, once func(study.Side) time.Duration, budget time.Duration) {
	left, any, full := budget, false, false
	for i := range p.Comparisons {
		c := &p.Comparisons[i]
		if !measurable(*c) {
			continue
		}
		cost := expected(once(c.Old) + once(c.New))
		if c.Pace != nil {
			cost = pacedCost(*c.Pace)
		}
		// Once the budget is spent nothing later goes ahead, however cheap:
		// the order is the user's.
		if full = full || any && left < cost; full {
			c.Skipped = outOfReach(budget)
			continue
		}
		any = true
		left -= cost
	}
}

// measurable reports whether a comparison could be measured, whatever the
// budget.
func measurable(c study.Comparison) bool {
	return c.Invalid == "" && c.Unsafe == "" && c.Failed == nil && c.Complete()
}

// outOfReach is why a comparison is skipped.
func outOfReach(budget time.Duration) string {
	return fmt.Sprintf("the budget of %s does not reach it", budget)
}

// measured is how many comparisons the budget is for.
func measured(p study.Plan) int {
	n := 0
	for _, c := range p.Comparisons {
		if measurable(c) && c.Skipped == "" {
			n++
		}
	}
	return n
}

// expected is what a comparison costs whose two sides take that long for one
// operation with its set-up.
func expected(once time.Duration) time.Duration {
	// A launch has at least ten pairs and its warm-up; the usual decision
	// falls after a handful of launches.
	return max(ComparisonCost, 12*6*once)
}

func (r *run) wanted(i int) bool {
	c := r.plan.Comparisons[i]
	return measurable(c) && c.Skipped == "" && r.results[i].Want != nil
}

// affordable reports whether the budget has room for one more launch of the
// comparison; its first is always affordable while there is any left.
func (r *run) affordable(i int) bool {
	left := r.o.Budget - r.spent
	res := r.results[i]
	if res.Launches == 0 {
		return left > 0
	}
	return left >= time.Duration(res.Spent)/time.Duration(res.Launches)*9/10
}

// admit lets the next comparison in that the budget was thought not to reach,
// if enough of it is left after all. It is judged again, for the rule wants
// nothing of a comparison that is skipped.
func (r *run) admit() (more bool, err error) {
	if r.o.Budget-r.spent < ComparisonCost/2 {
		return false, nil
	}
	for i := range r.plan.Comparisons {
		c := &r.plan.Comparisons[i]
		if c.Skipped != "" && measurable(*c) {
			c.Skipped = ""
			return true, r.judge(i)
		}
	}
	return false, nil
}
