package plan

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// compareRevisions compares each benchmark that both revisions have. Those
// that only one has are listed and not measured.
func compareRevisions(ctx context.Context, bs *build.Set, p *study.Plan, o ask.Options, cells [][]string) error {
	r := bs.Revised
	head, err := bs.List(ctx, build.MainBinary, pattern(o, nil), o)
	if err != nil {
		return err
	}
	base, err := bs.List(ctx, build.BaseBinary, pattern(o, nil), o)
	if err != nil {
		return err
	}
	arm := r.Head.String()
	if r.Dirty {
		arm = fmt.Sprintf("%s (%s with local changes)", r.Head.Label, build.Short(r.Head.Hash))
	}
	p.Title = fmt.Sprintf("%s against %s, of %s", arm, r.Base, p.Package)
	if err := pairRevisions(p, r.Base.Label, r.Head.Label, base, head, cells); err != nil {
		return err
	}
	return leaveOutUnchanged(ctx, bs, p, o, head)
}

// pairRevisions adds the comparisons of two lists of benchmarks.
func pairRevisions(p *study.Plan, baseline, arm string, base, head []duet.Leaf, cells [][]string) error {
	has := func(ls []duet.Leaf, name string) bool {
		return slices.ContainsFunc(ls, func(l duet.Leaf) bool { return l.Name == name })
	}
	// A benchmark that skips itself may have others below it, which it hides.
	skips := func(ls []duet.Leaf, name string) bool {
		return slices.ContainsFunc(ls, func(l duet.Leaf) bool {
			return l.Skipped && (l.Name == name || strings.HasPrefix(name, l.Name+"/"))
		})
	}
	hides := func(l duet.Leaf, others []duet.Leaf) bool {
		return l.Skipped && slices.ContainsFunc(others, func(o duet.Leaf) bool { return strings.HasPrefix(o.Name, l.Name+"/") })
	}
	common := false
	add := func(name string, old, new bool, skipped string) {
		switch {
		case skips(head, name):
			common, new, skipped = true, false, "it skips itself in "+arm
		case skips(base, name):
			common, old, skipped = true, false, "it skips itself in "+baseline
		}
		for _, cell := range cells {
			c := study.Comparison{ID: id(name, arm, cell), Benchmark: name, Arm: arm, Baseline: baseline, Cell: cell, Skipped: skipped}
			if old {
				c.BaselineBench = study.Bench{Binary: build.BaseBinary, Leaf: name}
			}
			if new {
				c.CandidateBench = study.Bench{Binary: build.MainBinary, Leaf: name}
			}
			p.Comparisons = append(p.Comparisons, c)
		}
	}
	for _, l := range head {
		switch {
		case hides(l, base):
		case has(base, l.Name):
			common = true
			add(l.Name, true, true, "")
		default:
			add(l.Name, false, true, baseline+" has no such benchmark")
		}
	}
	for _, l := range base {
		if !has(head, l.Name) && !hides(l, head) {
			add(l.Name, true, false, "only "+baseline+" has it")
		}
	}
	if !common {
		return build.Nothing{Err: fault.Errorf(fault.Input, "no matching benchmark is on both sides: %s has %s; %s has %s", baseline, namesOf(base), arm, namesOf(head))}
	}
	return nil
}

// namesOf lists a few benchmarks.
func namesOf(ls []duet.Leaf) string {
	const most = 8
	var names []string
	for i, l := range ls {
		if i == most {
			names = append(names, fmt.Sprintf("%d more", len(ls)-most))
			break
		}
		names = append(names, l.Name)
	}
	return strings.Join(names, ", ")
}
