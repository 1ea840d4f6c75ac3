// Package collect profiles the benchmarks of a package: what one operation of
// each allocates, set-up taken off, and what part of its CPU time goes into
// allocation and collection.
package collect

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Question says what to profile.
type Question struct {
	Toolchain *overlay.Toolchain
	Package   duet.Package
	Tags      string        // build tags, separated by commas
	Bench     string        // pattern of the benchmarks; "" for all
	Budget    time.Duration // for all of it, with the build; what is not reached in it is said
	Timeout   time.Duration // of one answer of a benchmark
	Scratch   string        // an existing folder
	CPU       bool          // take CPU profiles, too
	// Progress is told, before each benchmark, how many of how many are done; it
	// may be nil.
	Progress func(done, all int, name string)
}

// Answer holds the measurements.
type Answer struct {
	Benchmarks []profile.Benchmark
	Left       []Left // benchmarks of which nothing is known
	// Partial says that ctx ended, or the budget, before all benchmarks were profiled.
	Partial bool
}

// Left is a benchmark that was not profiled, and why.
type Left struct {
	Name   string `json:"benchmark"`
	Why    string `json:"why"`
	Failed bool   `json:"failed,omitempty"` // it fails, and was not merely left out
}

// Benchmarks builds the package's test binary and profiles its benchmarks. An
// answer that was cut short by ctx comes with the error of ctx. The error has
// the kind [fault.Code] where the package does not compile, or none of its
// benchmarks can be run, and [fault.Input] where it has none.
func Benchmarks(ctx context.Context, q Question) (Answer, error) {
	c := collector{Question: q, begin: time.Now()}
	c.Bench = cmp.Or(c.Bench, ".")
	binary := filepath.Join(q.Scratch, "profiled.test")
	b := duet.Build{Toolchain: q.Toolchain, Package: q.Package, Output: binary, Scratch: q.Scratch, Engine: study.EngineDuet, Tags: q.Tags, Profiles: true}
	if _, err := b.Compile(ctx); err != nil {
		if errors.Is(err, overlay.ErrAnchor) {
			return Answer{}, fault.Errorf(fault.Tools, "%s: profiles cannot be taken with this toolchain: %w", q.Package.Path, err)
		}
		return Answer{}, err
	}
	c.program = duet.Program{Binary: binary, Dir: q.Package.Dir}
	listing, cancel := context.WithDeadline(ctx, c.begin.Add(q.Budget))
	defer cancel()
	leaves, err := duet.Leaves(listing, c.program, c.Bench, q.Timeout)
	if listing.Err() != nil && ctx.Err() == nil {
		return Answer{}, fault.Option("budget", q.Budget.String(), "the benchmarks of %s take longer than that for their build and one operation each; choose some with -bench, or give them more time", q.Package.Path)
	}
	broken := new(duet.BenchError)
	if errors.As(err, &broken) && len(leaves) == 0 {
		return Answer{}, fault.Errorf(fault.Code, "%s: %w", q.Package.Path, err)
	}
	if err != nil && !errors.As(err, &broken) {
		return Answer{}, err
	}
	var run []duet.Leaf
	for _, leaf := range leaves {
		switch {
		case leaf.Skipped:
			c.leave(leaf.Name, "it skips itself", false)
		case leaf.Failed != "":
			c.leave(leaf.Name, leaf.Failed, true)
		default:
			run = append(run, leaf)
		}
	}
	if len(leaves) == 0 {
		return c.answer, fault.Errorf(fault.Input, "%s: no benchmark matches the pattern %s", q.Package.Path, c.Bench)
	}
	return c.all(ctx, study.InTurn(run, func(l duet.Leaf) string { return l.Name }))
}

type collector struct {
	Question
	begin   time.Time
	program duet.Program
	answer  Answer
}

func (c *collector) leave(name, why string, failed bool) {
	c.answer.Left = append(c.answer.Left, Left{name, why, failed})
}

// all profiles the leaves, as many as the budget allows.
func (c *collector) all(ctx context.Context, leaves []duet.Leaf) (Answer, error) {
	for i, leaf := range leaves {
		left := c.Budget - time.Since(c.begin)
		if left <= 0 {
			c.answer.Partial = true
			c.leave(leaf.Name, "the budget was used up", false)
			continue
		}
		brief := passes*leaf.Once > left
		if brief && briefPasses*leaf.Once > left {
			c.answer.Partial = true
			c.leave(leaf.Name, fmt.Sprintf("a run takes %s, and it needs %d", leaf.Once.Round(time.Millisecond), briefPasses), false)
			continue
		}
		if c.Progress != nil {
			c.Progress(i, len(leaves), leaf.Name)
		}
		work := min(mostCPU, max(leastCPU, left/time.Duration(3*(len(leaves)-i))))
		if brief {
			work = 0
		}
		b, err := c.one(ctx, leaf, work)
		failed := new(duet.BenchError)
		switch {
		case ctx.Err() != nil:
			c.answer.Partial = true
			for _, leaf := range leaves[i:] {
				c.leave(leaf.Name, "interrupted", false)
			}
			return c.answer, ctx.Err()
		case errors.As(err, &failed):
			c.leave(leaf.Name, failed.Text, true)
		case err != nil:
			return c.answer, err
		default:
			c.answer.Benchmarks = append(c.answer.Benchmarks, b)
		}
	}
	if len(c.answer.Benchmarks) == 0 {
		for _, l := range c.answer.Left {
			if l.Failed {
				return c.answer, fault.Errorf(fault.Code, "%s: no benchmark could be profiled: %s: %s", c.Package.Path, l.Name, l.Why)
			}
		}
	}
	return c.answer, nil
}
