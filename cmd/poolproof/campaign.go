package main

import (
	"context"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
)

func tryCampaign(ctx context.Context, f *tryFlags) (int, error) {
	return exitcode.Usage, exitcode.Errorf(exitcode.Usage, "soon")
}
