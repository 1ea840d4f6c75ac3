package run

import (
	"context"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
)

// Of the budget the opening may take a quarter, and this at most.
const longestOpening = 8 * time.Second

// open measures one comparison after the other until the first is decided, so
// that the user sees a verdict after seconds: with rounds alone the verdicts on
// many benchmarks fall together, late. The launches of one comparison follow each
// other then, as those of a plan with one comparison always do. What needs padded
// builds waits for the rounds, for they have to be linked.
func (r *Run) open(ctx context.Context) error {
	if len(r.Records) > 0 {
		return nil // an earlier sitting had it
	}
	end := min(longestOpening, r.o.Budget/4)
	for i, c := range r.Plan.Comparisons {
		if c.Late || !plan.Measurable(c) || c.Skipped != "" {
			continue
		}
		for r.wanted(i) && r.Results[i].Want.Layout == 0 {
			if r.spent >= end || !r.affordable(i) {
				return nil
			}
			if err := r.launchOne(ctx, i); err != nil {
				return err
			}
		}
		if !r.wanted(i) {
			return nil
		}
	}
	return nil
}
