//go:build !linux

// Package cost measures what `poolproof test` costs. It measures on Linux only.
package cost

import (
	"context"
	"fmt"
	"os"
)

// Main says that there is nothing to run here.
func Main(context.Context, []string) int {
	fmt.Fprintln(os.Stderr, "cost: it measures on Linux only")
	return 3
}

// Capture is never started here.
func Capture(ctx context.Context, args []string) int { return Main(ctx, args) }
