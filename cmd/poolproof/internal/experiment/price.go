package experiment

import (
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

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
	once := r.bs.once(c.Old) + r.bs.once(c.New)
	switch {
	case want.Form == study.FormRate:
		return c.Pace.Launch()
	case want.Form == study.FormLong:
		long := 2 * time.Duration(r.plan.Rule.LongSlice) * time.Duration(r.plan.Rule.LongPairs)
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
