package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/campaign"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
)

// tryCampaign proves the rule again; the sitting ends with the budget.
func tryCampaign(ctx context.Context, f *tryFlags) (int, error) {
	unlock, err := experiment.Lock(f.campaign, "-campaign")
	if err != nil {
		return exitcode.Usage, err
	}
	defer unlock()
	s, err := campaign.Run(ctx, campaign.Options{
		Dir: f.campaign, Budget: f.budget, Only: f.only, Timeout: f.timeout, Progress: progress.New(os.Stderr),
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		return exitcode.Of(err), err
	}
	if err := s.Markdown(os.Stdout); err != nil {
		return exitcode.Usage, err
	}
	if s.Done < s.Tasks {
		fmt.Fprintf(os.Stderr, "poolproof: %d of %d tasks are done. To go on: poolproof try -campaign %s -budget %s\n", s.Done, s.Tasks, f.campaign, f.budget)
	}
	if err != nil {
		return exitcode.Interrupted, exitcode.Errorf(exitcode.Interrupted, "interrupted; what is done stays done%w", hidden{err})
	}
	return exitcode.OK, nil
}
