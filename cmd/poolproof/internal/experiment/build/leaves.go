package build

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// List finds the benchmarks of a plain binary that match the pattern, those that
// fail included. The error names the first where all of them do.
func (bs *Set) List(ctx context.Context, id, pattern string, o ask.Options) ([]duet.Leaf, error) {
	t, list := bs.Target(id), duet.Leaves
	if bs.Engine == study.EnginePairs {
		list = duet.LeavesPlain
	}
	leaves, err := list(ctx, bs.Program(id, 0, nil), pattern, o.Timeout)
	var broken *duet.BenchError
	switch {
	case errors.As(err, &broken) && strings.Contains(broken.Text, "invalid regexp"):
		return nil, fault.Option("bench", pattern, "this is not a regular expression: %s", broken.Text)
	case errors.As(err, &broken):
		return nil, fault.Errorf(fault.Code, "%s: %s", t, bs.Reachable(id, broken.Text))
	case err != nil:
		return nil, err
	case len(leaves) == 0:
		return nil, fault.Errorf(fault.Input, "%s: no benchmark matches the pattern %s (or all of them skip themselves)", t, pattern)
	}
	for i := range leaves {
		leaves[i].Failed = bs.Reachable(id, leaves[i].Failed)
	}
	if !slices.ContainsFunc(leaves, func(l duet.Leaf) bool { return l.Failed == "" }) {
		why := leaves[0].Failed
		if len(leaves) > 1 {
			why = fmt.Sprintf("all %d benchmarks that match fail; the first: %s", len(leaves), why)
		}
		return nil, fault.Errorf(fault.Code, "%s: %s", t, why)
	}
	bs.Leaves[id] = leaves
	return leaves, nil
}

// Once returns how long a benchmark takes for one operation with its set-up;
// 0 if it is not known.
func (bs *Set) Once(s study.Bench) time.Duration {
	for _, l := range bs.Leaves[s.Binary] {
		if l.Name == s.Leaf {
			return l.Once
		}
	}
	return 0
}
