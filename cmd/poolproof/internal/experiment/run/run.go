// Package run measures the launches of a plan, one for each comparison in turn,
// until the rule has decided or the budget is spent.
package run

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Run is the measuring part of an experiment: the plan, what is recorded so
// far, and what the rule says of it.
type Run struct {
	bs      *build.Set
	o       ask.Options
	Plan    study.Plan
	digest  string
	log     *os.File
	Records []study.Record
	Results []study.Result // by comparison
	spent   time.Duration
	shapes  map[string]duet.Shape    // by comparison and form
	last    map[string]time.Duration // what the last launch took, by comparison and form
	used    map[string]time.Duration // what all launches took, by comparison
	built   map[string]bool          // padded binaries, by ID
	// launchOne gives one comparison its next launch; tests have their own.
	launchOne func(ctx context.Context, i int) error
}

func New(bs *build.Set, o ask.Options, p study.Plan, log *os.File, records []study.Record) (*Run, error) {
	r := &Run{
		bs: bs, o: o, Plan: p, digest: stat.DigestOf(p, records), log: log, Records: records,
		shapes: map[string]duet.Shape{}, last: map[string]time.Duration{}, used: map[string]time.Duration{}, built: map[string]bool{}, Results: make([]study.Result, len(p.Comparisons)),
	}
	r.launchOne = r.launch
	for _, rec := range records {
		r.took(rec)
		if rec.Status == study.StatusOK {
			r.shapes[shapeKey(rec.Comparison, rec.Form)] = duet.ShapeOf(rec, p.Rule)
		}
	}
	for i := range p.Comparisons {
		if err := r.judge(i); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// took notes the time of a launch.
func (r *Run) took(rec study.Record) {
	d := time.Duration(rec.Seconds * float64(time.Second))
	r.spent += d
	r.last[shapeKey(rec.Comparison, rec.Form)] = d
	r.used[rec.Comparison] += d
}

func (r *Run) judge(i int) error {
	res, err := stat.JudgeOne(r.Plan, r.Plan.Comparisons[i].ID, r.Records)
	if err != nil {
		return fault.Errorf(fault.Defect, "the records cannot be judged: %w", err)
	}
	r.Results[i] = res
	return nil
}

// Measure records launches until the rule wants no more or the budget is
// spent. Before the first round stands the opening.
//
// Each round gives one launch to every undecided comparison of a rank, so that a
// run that stops anywhere has treated all alike. The ranks take their turns in
// this order, and each round begins with the first of them again:
//
//  1. comparisons that have not used their share of the budget;
//  2. the late ones of those;
//  3. comparisons that the budget was thought not to reach, let in one by one;
//  4. comparisons that have used their share, and at last the late ones of those.
//
// So a few comparisons that are hard to decide do not keep others from a first
// look, and what the others leave of the budget goes to them.
func (r *Run) Measure(ctx context.Context) error {
	if err := r.open(ctx); err != nil {
		return err
	}
	for {
		launched, err := r.firstOf(ctx, rank{}, rank{late: true})
		if err != nil {
			return err
		}
		if launched > 0 {
			continue
		}
		if more, err := r.admit(); err != nil {
			return err
		} else if more {
			continue
		}
		if launched, err = r.firstOf(ctx, rank{over: true}, rank{late: true, over: true}); err != nil || launched == 0 {
			return err
		}
	}
}

// A rank is which comparisons have their turn together.
type rank struct {
	late bool // by the plan
	over bool // has used its share
}

func (r *Run) rankOf(i int) rank {
	c := r.Plan.Comparisons[i]
	return rank{late: c.Late, over: r.used[c.ID] >= r.share()}
}

// firstOf is a round of the first rank that has launches to make.
func (r *Run) firstOf(ctx context.Context, ranks ...rank) (launched int, err error) {
	for _, of := range ranks {
		if launched, err = r.round(ctx, of); err != nil || launched > 0 {
			return launched, err
		}
	}
	return 0, nil
}

// round gives one launch to every comparison of a rank that wants one and can
// afford it.
func (r *Run) round(ctx context.Context, of rank) (launched int, err error) {
	for i := range r.Plan.Comparisons {
		if r.rankOf(i) != of || !r.wanted(i) || !r.affordable(i) {
			continue
		}
		if err := r.launchOne(ctx, i); err != nil {
			return launched, err
		}
		launched++
	}
	return launched, nil
}

// launch measures what the rule wants next of one comparison, and records it.
func (r *Run) launch(ctx context.Context, i int) error {
	c, want := r.Plan.Comparisons[i], *r.Results[i].Want
	if want.Layout > 0 {
		if err := r.pad(ctx, c, want.Layout); err != nil {
			return err
		}
	}
	r.o.Progress.Measure(r.spent, r.o.Budget, r.describe(c, want))
	l := duet.Launch{
		Plan: r.digest, Seed: r.Plan.Seed, Rule: r.Plan.Rule, Comparison: c.ID, Form: want.Form, Layout: want.Layout, Number: want.Launch,
		Timeout: r.o.Timeout, Limit: r.limit(),
	}
	for _, side := range study.Sides {
		bench := c.Bench(side)
		l.Programs[side], l.Leaves[side] = r.bs.Program(bench.Binary, want.Layout, c.Cell), bench.Leaf
	}
	if c.Pace != nil {
		l.Pace = *c.Pace
	}
	key := shapeKey(c.ID, want.Form)
	if s, ok := r.shapes[key]; ok {
		l.Shape = &s
	}
	rec, shape, err := l.Run(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fault.Errorf(fault.Tools, "%s: %w", c.ID, err)
	}
	switch {
	case rec.Status == study.StatusOK:
		r.shapes[key] = shape
	case rec.FailedSide == study.Candidate.String():
		rec.Error = r.bs.Reachable(c.CandidateBench.Binary, rec.Error)
	default:
		rec.Error = r.bs.Reachable(c.BaselineBench.Binary, rec.Error)
	}
	if err := study.Append(r.log, rec); err != nil {
		return fault.Errorf(fault.Tools, "%s: %w", r.log.Name(), err)
	}
	r.Records = append(r.Records, rec)
	r.took(rec)
	r.o.Progress.Measure(r.spent, r.o.Budget, r.describe(c, want))
	if err := r.judge(i); err != nil {
		return err
	}
	r.tell(i)
	return nil
}

func (r *Run) describe(c study.Comparison, w study.Want) string {
	what := c.Benchmark
	if r.Plan.Kind != study.KindBase { // which has one arm
		what += " " + c.Arm
	}
	if len(c.Cell) > 0 {
		what += " " + strings.Join(c.Cell, " ")
	}
	switch {
	case w.Layout > 0:
		what += fmt.Sprintf(" padded %d", w.Layout)
	case w.Form == study.FormLong:
		what += " long form"
	}
	return fmt.Sprintf("%s, launch %d", what, w.Launch+1)
}
