package run

import (
	"context"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
)

// Of the budget the opening may take a quarter, and this at most.
const longestOpening = 15 * time.Second

// open measures the first comparison until it is decided, so that the user sees a
// verdict after seconds: with rounds alone the verdicts on many benchmarks fall
// together, late. The launches of that comparison follow each other then, as those
// of a plan with one comparison always do.
func (r *Run) open(ctx context.Context) error {
	if len(r.Records) > 0 {
		return nil // an earlier sitting had it
	}
	end := min(longestOpening, r.o.Budget/4)
	for i, c := range r.Plan.Comparisons {
		if c.Late || !plan.Measurable(c) || c.Skipped != "" {
			continue
		}
		for r.wanted(i) {
			if r.spent >= end || !r.affordable(i) {
				return nil
			}
			if err := r.launchOne(ctx, i); err != nil {
				return err
			}
		}
		return nil
	}
	return nil
}
