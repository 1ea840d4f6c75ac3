package experiment

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// ComparisonCost is what one comparison is expected to take: enough launches
// for the first looks.
const ComparisonCost = 4 * time.Second

// spend marks the comparisons that the budget does not reach, from the end of
// the list: the first ones are measured well rather than all of them badly.
// The first that can be measured is always tried.
//
// once tells how long a benchmark takes for one operation with its set-up.
func spend(p *study.Plan, once func(study.Bench) time.Duration, budget time.Duration) {
	var whole time.Duration
	costs := make([]time.Duration, len(p.Comparisons))
	for i, c := range p.Comparisons {
		switch {
		case !measurable(c):
			continue
		case c.Pace != nil:
			costs[i] = pacedCost(*c.Pace)
		default:
			costs[i] = expected(once(c.BaselineBench) + once(c.CandidateBench))
		}
		whole += costs[i]
	}
	left, any, full := budget, false, false
	for i := range p.Comparisons {
		c := &p.Comparisons[i]
		if !measurable(*c) {
			continue
		}
		// Once the budget is spent nothing later goes ahead, however cheap:
		// the order is the user's.
		if full = full || any && left < costs[i]; full {
			c.Skipped = outOfReach(budget, whole)
			continue
		}
		any = true
		left -= costs[i]
	}
}

// measurable reports whether a comparison could be measured, whatever the
// budget.
func measurable(c study.Comparison) bool {
	return c.Invalid == "" && c.Unsafe == "" && c.Failed == nil && c.Complete()
}

// outOfReach is why a comparison is skipped. whole is what all comparisons of the
// plan are expected to take, 0 if that is not known.
func outOfReach(budget, whole time.Duration) string {
	text := fmt.Sprintf("the budget of %s does not reach it", budget)
	if whole > 0 {
		text += fmt.Sprintf("; all comparisons need about %s", roughly(whole))
	}
	return text
}

// roughly writes a time as a flag takes it, without seconds where it has minutes.
func roughly(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%ds", int64((d+time.Second-1)/time.Second))
	}
	return fmt.Sprintf("%dm", int64((d+time.Minute-1)/time.Minute))
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
	// Calibrating, and four launches of a pair or two.
	return max(ComparisonCost, 8*once)
}

func (r *run) wanted(i int) bool {
	c := r.plan.Comparisons[i]
	return measurable(c) && c.Skipped == "" && r.results[i].Want != nil
}

// affordable reports whether the budget has room for the launch that the
// comparison wants.
func (r *run) affordable(i int) bool {
	left := r.o.Budget - r.spent
	return left > 0 && left >= r.price(i)*9/10
}

// price is what the launch that a comparison wants is expected to take: as long
// as the last one of its form, or, before the first, what calibrating takes and
// the launch itself.
func (r *run) price(i int) time.Duration {
	c, want := r.plan.Comparisons[i], r.results[i].Want
	key := shapeKey(c.ID, want.Form)
	if last, known := r.last[key]; known {
		return last
	}
	once := r.bs.once(c.BaselineBench) + r.bs.once(c.CandidateBench)
	switch {
	case want.Form == study.FormRate:
		return c.Pace.Launch()
	case want.Form == study.FormLong:
		long := 2 * time.Duration(r.plan.Rule.LongBurst) * time.Duration(r.plan.Rule.LongPairs)
		return max(2*once, min(long, r.limit()))
	}
	return 2 * once // to find out how long it takes, and one pair
}

// limit is how long a launch may take where fewer pairs can shorten it: what is
// left of the budget should do for the first looks at each comparison that is
// not decided.
func (r *run) limit() time.Duration {
	open := 0
	for i := range r.plan.Comparisons {
		if r.wanted(i) {
			open++
		}
	}
	first := time.Duration(r.plan.Rule.Looks[0] + 1) // calibrating takes as long as a launch
	return max(shortest, (r.o.Budget-r.spent)/time.Duration(max(1, open))/first)
}

// shortest is a launch of the usual shape: nothing is won by making it shorter.
const shortest = 600 * time.Millisecond

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
