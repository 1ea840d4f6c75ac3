package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// compareArms compares every arm of a study with its baseline, on every
// benchmark that has it: arm by arm, so that a small budget leaves out whole
// arms, and what is late after all that is not. Arms that do not run the code
// they are about come out invalid here, before anything is timed.
func compareArms(ctx context.Context, bs *build.Set, p *study.Plan, o ask.Options, file *study.File) error {
	base := file.Arms[slices.IndexFunc(file.Arms, func(a study.Arm) bool { return a.Name == file.Baseline })]
	cells := map[string][]study.PlannedCell{}
	for _, b := range file.Benchmarks {
		var err error
		if cells[b.Name], err = file.CellsOf(b, o.Matrix); err != nil {
			return matrixError(o, file, err)
		}
	}
	if err := listArms(ctx, bs, o, file); err != nil {
		return err
	}
	for _, a := range file.Arms {
		if a.Name == base.Name {
			continue
		}
		for _, b := range file.Benchmarks {
			if slices.Contains(b.Skip, a.Name) {
				continue
			}
			old, without, err := armSide(bs, file, b, base)
			if err != nil {
				return err
			}
			new, skipped, err := armSide(bs, file, b, a)
			if err != nil {
				return err
			}
			for _, cell := range cells[b.Name] {
				p.Comparisons = append(p.Comparisons, study.Comparison{
					ID: id(b.Name, a.Name, cell.Cell), Benchmark: b.Name, Arm: a.Name, Baseline: base.Name, Cell: cell.Cell,
					BaselineBench: old, CandidateBench: new, Skipped: cmp.Or(skipped, without), Late: cell.Late, Pace: b.Pace(),
					Falls: a.Falls, Rises: a.Rises, Allocates: base.Allocates, Isolated: b.Isolated, Expect: a.Expected(b.Name, cell.Cell), ExpectedBefore: a.ExpectedBefore(b.Name, cell.Cell),
				})
			}
		}
	}
	slices.SortStableFunc(p.Comparisons, func(a, b study.Comparison) int { return order(a.Late) - order(b.Late) })
	return nil
}

func order(late bool) int {
	if late {
		return 1
	}
	return 0
}

// matrixError is an error of the matrix that counts: the user's, else the study's.
func matrixError(o ask.Options, file *study.File, err error) error {
	if o.Matrix != "" {
		return fault.Option("matrix", "", "%w", err)
	}
	return fault.Errorf(fault.Input, "%s: %w", file.Path, err)
}

// listArms finds the benchmarks of every binary that an arm is in.
func listArms(ctx context.Context, bs *build.Set, o ask.Options, file *study.File) error {
	for _, t := range bs.Targets {
		used := slices.ContainsFunc(file.Arms, func(a study.Arm) bool { return bs.BinaryOf(a) == t.ID })
		if !used || bs.Absent[t.ID] != "" {
			continue
		}
		if _, err := bs.List(ctx, t.ID, topLevel(file), o); err != nil {
			return err
		}
	}
	return nil
}

// armSide returns the side of an arm on a benchmark. skipped says why there is
// none: the arm's binary is not there, and is optional, or the benchmark skips
// itself.
func armSide(bs *build.Set, file *study.File, b study.Benchmark, a study.Arm) (side study.Bench, skipped string, err error) {
	binary := bs.BinaryOf(a)
	if why := bs.Absent[binary]; why != "" {
		return study.Bench{}, why, nil
	}
	leaf, ok := armLeaf(bs.Leaves[binary], file.Key, b.Bench, a.Name)
	if !ok {
		return study.Bench{}, "", missingArm(file, b, a.Name, binary)
	}
	if leaf.Skipped {
		return study.Bench{}, leaf.Name + " skips itself", nil
	}
	return study.Bench{Binary: binary, Leaf: leaf.Name}, "", nil
}

// checkReach sets Invalid on the comparisons whose benchmark does not run, in
// each operation, every function that the arm or the baseline is about.
func checkReach(ctx context.Context, bs *build.Set, p *study.Plan, o ask.Options, file *study.File) error {
	about := map[string][]string{}
	for _, a := range file.Arms {
		about[a.Name] = a.Reaches
	}
	counted := map[string]*reach{}
	of := func(binary string) (*reach, error) {
		if counted[binary] == nil {
			t := bs.Target(binary)
			o.Progress.Step("counting what the benchmarks of " + t.String() + " run")
			r, err := newReach(ctx, t, o.Timeout, bs.Leaves[binary])
			if err != nil {
				return nil, err
			}
			counted[binary] = r
		}
		return counted[binary], nil
	}
	for i := range p.Comparisons {
		c := &p.Comparisons[i]
		if c.Failed != nil {
			continue
		}
		for _, side := range []struct {
			arm, name string
			study.Bench
		}{{c.Baseline, "baseline", c.BaselineBench}, {c.Arm, "candidate", c.CandidateBench}} {
			if len(about[side.arm]) == 0 || side.Binary == "" {
				continue
			}
			r, err := of(side.Binary)
			if err != nil {
				return err
			}
			missed, err := r.missed(ctx, side.Leaf, about[side.arm])
			if broken := new(duet.BenchError); errors.As(err, &broken) {
				c.Failed = &study.Failure{Side: side.name, Binary: side.Binary, Benchmark: side.Leaf, Text: broken.Text}
				break
			}
			if err != nil {
				return fmt.Errorf("%s: arm %s: %w", file.Path, side.arm, err)
			}
			if len(missed) > 0 {
				c.Invalid = fmt.Sprintf("%s never runs %s in its operations: what it measures is something else", side.Leaf, strings.Join(missed, ", "))
				break
			}
		}
		if c.Failed == nil && c.Allocates > 0 && len(about[c.Baseline]) > 0 && c.BaselineBench.Binary != "" {
			r, err := of(c.BaselineBench.Binary)
			if err == nil {
				c.Escape, err = r.escapes(ctx, about[c.Baseline])
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
