package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// compareArms compares every arm of a study with its baseline, on every
// benchmark that has it: arm by arm, so that a small budget leaves out whole
// arms. Arms that do not run the code they are about come out invalid here,
// before anything is timed.
func (t *target) compareArms(ctx context.Context, p *study.Plan, o Options, file *study.File, leaves []duet.Leaf, cells [][]string) error {
	var base study.Arm
	for _, a := range file.Arms {
		if a.Name == file.Baseline {
			base = a
		}
	}
	for _, a := range file.Arms {
		if a.Name == file.Baseline {
			continue
		}
		for _, b := range file.Benchmarks {
			if slices.Contains(b.Skip, a.Name) {
				continue
			}
			old, ok := armLeaf(leaves, file.Key, b.Bench, base.Name)
			if !ok {
				return missingArm(file, b, base.Name)
			}
			new, ok := armLeaf(leaves, file.Key, b.Bench, a.Name)
			if !ok {
				return missingArm(file, b, a.Name)
			}
			for _, cell := range cells {
				p.Comparisons = append(p.Comparisons, study.Comparison{
					ID: id(b.Name, a.Name, cell), Benchmark: b.Name, Arm: a.Name, Baseline: base.Name, Cell: cell,
					Old: study.Side{Binary: "test", Leaf: old}, New: study.Side{Binary: "test", Leaf: new},
					Falls: a.Falls, Rises: a.Rises, Allocates: base.Allocates, Isolated: b.Isolated, Expect: a.Expect[b.Name],
				})
			}
		}
	}
	return t.checkReach(ctx, p, o, file, leaves)
}

// checkReach sets Invalid on the comparisons whose benchmark does not run, in
// each operation, every function that the arm or the baseline is about.
func (t *target) checkReach(ctx context.Context, p *study.Plan, o Options, file *study.File, leaves []duet.Leaf) error {
	about := map[string][]string{}
	any := false
	for _, a := range file.Arms {
		about[a.Name] = a.Reaches
		any = any || len(a.Reaches) > 0
	}
	if !any {
		return nil
	}
	o.Progress.Step("counting what the benchmarks of " + t.pkg.Path + " run")
	r, err := t.newReach(ctx, o.Timeout, leaves)
	if err != nil {
		return err
	}
	for i := range p.Comparisons {
		c := &p.Comparisons[i]
		for _, side := range []struct{ arm, leaf string }{{c.Baseline, c.Old.Leaf}, {c.Arm, c.New.Leaf}} {
			missed, err := r.missed(ctx, side.leaf, about[side.arm])
			if err != nil {
				return fmt.Errorf("%s: arm %s: %w", file.Path, side.arm, err)
			}
			if len(missed) > 0 {
				c.Invalid = fmt.Sprintf("%s never runs %s in its operations: what it measures is something else", side.leaf, strings.Join(missed, ", "))
				break
			}
		}
		if c.Allocates > 0 {
			if c.Escape, err = r.escapes(ctx, about[c.Baseline]); err != nil {
				return err
			}
		}
	}
	return nil
}
