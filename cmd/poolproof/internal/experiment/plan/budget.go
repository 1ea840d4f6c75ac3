package plan

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// ComparisonCost is the estimate for one comparison: the four launches
// of the first look, of 0.4 to 0.7 s each.
const ComparisonCost = 3 * time.Second

// Spend marks the comparisons that the budget does not reach, late ones first and from the
// end of the list: the first ones are measured well rather than all of them badly.
// The first that can be measured is always tried.
//
// once tells how long a benchmark takes for one operation with its set-up.
func Spend(p *study.Plan, once func(study.Bench) time.Duration, budget time.Duration) {
	var whole time.Duration
	costs := make([]time.Duration, len(p.Comparisons))
	for i, c := range p.Comparisons {
		if Measurable(c) {
			costs[i] = Cost(c, once)
			whole += costs[i]
		}
	}
	left, any, full := budget, false, false
	for _, late := range []bool{false, true} {
		for i := range p.Comparisons {
			c := &p.Comparisons[i]
			if c.Late != late || !Measurable(*c) {
				continue
			}
			// Once the budget is spent nothing later goes ahead, however cheap:
			// the order is the user's.
			if full = full || any && left < costs[i]; full {
				c.Skipped = OutOfReach(budget, whole)
				continue
			}
			any = true
			left -= costs[i]
		}
	}
}

// Cost estimates the time of a comparison until its first look.
func Cost(c study.Comparison, once func(study.Bench) time.Duration) time.Duration {
	if c.Pace != nil {
		return 5 * c.Pace.Launch() // the usual decision falls at the first look, which four launches make
	}
	// Calibrating, and four launches of a pair or two.
	return max(ComparisonCost, 8*(once(c.BaselineBench)+once(c.CandidateBench)))
}

// Measurable reports whether a comparison could be measured, whatever the
// budget.
func Measurable(c study.Comparison) bool {
	return c.Invalid == "" && c.Unsafe == "" && c.Failed == nil && c.Complete()
}

// OutOfReach is why a comparison is skipped. whole is what all comparisons of the
// plan are expected to take, 0 if that is not known.
func OutOfReach(budget, whole time.Duration) string {
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

// leaveOutPaced takes the sides from comparisons at a fixed rate where nothing
// can pace them: the testing package of the plan's engine is not ours.
func leaveOutPaced(p *study.Plan) {
	if p.Engine != study.EnginePairs {
		return
	}
	for i := range p.Comparisons {
		if c := &p.Comparisons[i]; c.Pace != nil {
			c.BaselineBench.Binary, c.CandidateBench.Binary = "", ""
			c.Skipped = "it runs at a fixed rate, which needs the duet"
		}
	}
}
