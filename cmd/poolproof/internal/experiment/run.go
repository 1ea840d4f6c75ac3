package experiment

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/duet"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// run is the measuring part of an experiment: the plan, what is recorded so
// far, and what the rule says of it.
type run struct {
	bs      *builds
	o       Options
	plan    study.Plan
	digest  string
	log     *os.File
	records []study.Record
	results []study.Result // by comparison
	spent   time.Duration
	shapes  map[string]duet.Shape    // by comparison and form
	last    map[string]time.Duration // what the last launch took, by comparison and form
	built   map[string]bool          // padded binaries, by ID
	// launchOne gives one comparison its next launch; tests have their own.
	launchOne func(ctx context.Context, i int) error
}

func newRun(bs *builds, o Options, p study.Plan, log *os.File, records []study.Record) (*run, error) {
	r := &run{
		bs: bs, o: o, plan: p, digest: stat.DigestOf(p, records), log: log, records: records,
		shapes: map[string]duet.Shape{}, last: map[string]time.Duration{}, built: map[string]bool{}, results: make([]study.Result, len(p.Comparisons)),
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
func (r *run) took(rec study.Record) {
	d := time.Duration(rec.Seconds * float64(time.Second))
	r.spent += d
	r.last[shapeKey(rec.Comparison, rec.Form)] = d
}

func shapeKey(comparison string, form study.Form) string {
	return string(form) + " " + comparison
}

func (r *run) judge(i int) error {
	res, err := stat.JudgeOne(r.plan, r.plan.Comparisons[i].ID, r.records)
	if err != nil {
		return exitcode.Errorf(exitcode.Usage, "the records cannot be judged: %w", err)
	}
	r.results[i] = res
	return nil
}

// measure records launches until the rule wants no more or the budget is
// spent. Each round gives every undecided comparison one launch, so that a run
// that stops anywhere has treated all alike; late comparisons get theirs when
// no other wants or can afford one. What the decided ones leave of the budget
// goes to comparisons that it was thought not to reach.
func (r *run) measure(ctx context.Context) error {
	for {
		launched, err := r.round(ctx, false)
		if err == nil && launched == 0 {
			launched, err = r.round(ctx, true)
		}
		if err != nil {
			return err
		}
		if launched > 0 {
			continue
		}
		if more, err := r.admit(); err != nil || !more {
			return err
		}
	}
}

// round gives one launch to every comparison, late or not, that wants one and
// can afford it.
func (r *run) round(ctx context.Context, late bool) (launched int, err error) {
	for i, c := range r.plan.Comparisons {
		if c.Late != late || !r.wanted(i) || !r.affordable(i) {
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
func (r *run) launch(ctx context.Context, i int) error {
	c, want := r.plan.Comparisons[i], *r.results[i].Want
	if want.Layout > 0 {
		if err := r.pad(ctx, c, want.Layout); err != nil {
			return err
		}
	}
	r.o.Progress.Measure(r.spent, r.o.Budget, describe(c, want))
	l := duet.Launch{
		Plan: r.digest, Seed: r.plan.Seed, Rule: r.plan.Rule, Comparison: c.ID, Form: want.Form, Layout: want.Layout, Number: want.Launch,
		Timeout: r.o.Timeout, Limit: r.limit(),
	}
	for _, side := range study.Sides {
		bench := c.Bench(side)
		l.Programs[side], l.Leaves[side] = r.bs.program(bench.Binary, want.Layout, c.Cell), bench.Leaf
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
		return exitcode.Errorf(exitcode.Usage, "%s: %w", c.ID, err)
	}
	switch {
	case rec.Status == study.StatusOK:
		r.shapes[key] = shape
	case rec.FailedSide == study.Candidate.String():
		rec.Error = r.bs.reachable(c.CandidateBench.Binary, rec.Error)
	default:
		rec.Error = r.bs.reachable(c.BaselineBench.Binary, rec.Error)
	}
	if err := study.Append(r.log, rec); err != nil {
		return exitcode.Errorf(exitcode.Usage, "%s: %w", r.log.Name(), err)
	}
	r.records = append(r.records, rec)
	r.took(rec)
	r.o.Progress.Measure(r.spent, r.o.Budget, describe(c, want))
	if err := r.judge(i); err != nil {
		return err
	}
	r.tell(i)
	return nil
}

func describe(c study.Comparison, w study.Want) string {
	what := c.Benchmark + " " + c.Arm
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
