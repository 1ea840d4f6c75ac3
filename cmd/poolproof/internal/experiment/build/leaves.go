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
// fail or skip themselves included. The error names the first where all of them
// fail.
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
		return nil, Nothing{Err: fault.Errorf(fault.Input, "%s: no benchmark matches the pattern %s", t, pattern)}
	}
	if !slices.ContainsFunc(leaves, func(l duet.Leaf) bool { return !l.Skipped }) {
		return nil, Nothing{Err: fault.Errorf(fault.Input, "%s: all benchmarks that match the pattern %s skip themselves; the first is %s", t, pattern, leaves[0].Name)}
	}
	for i := range leaves {
		leaves[i].Failed = bs.Reachable(id, leaves[i].Failed)
	}
	if !slices.ContainsFunc(leaves, func(l duet.Leaf) bool { return l.Failed == "" && !l.Skipped }) {
		failing := slices.DeleteFunc(slices.Clone(leaves), func(l duet.Leaf) bool { return l.Skipped })
		why := failing[0].Failed
		if len(failing) > 1 {
			why = fmt.Sprintf("all %d benchmarks that match fail; the first: %s", len(failing), why)
		}
		return nil, fault.Errorf(fault.Code, "%s: %s", t, why)
	}
	bs.Leaves[id] = leaves
	return leaves, nil
}

// Nothing is the error of a package that has nothing of what the question is about.
// Of the packages of a pattern, such as ./..., the others have it.
type Nothing struct {
	Err error // of the kind [fault.Input]
}

// Error says what there is not.
func (n Nothing) Error() string { return n.Err.Error() }

// Unwrap returns the error with its kind.
func (n Nothing) Unwrap() error { return n.Err }

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
