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
	shapes  map[string]duet.Shape // by comparison and form
	built   map[string]bool       // shifted binaries, by ID
	// launchOne gives one comparison its next launch; tests have their own.
	launchOne func(ctx context.Context, i int) error
}

func newRun(bs *builds, o Options, p study.Plan, log *os.File, records []study.Record) (*run, error) {
	r := &run{
		bs: bs, o: o, plan: p, digest: p.Digest(), log: log, records: records,
		shapes: map[string]duet.Shape{}, built: map[string]bool{}, results: make([]study.Result, len(p.Comparisons)),
	}
	r.launchOne = r.launch
	for _, rec := range records {
		r.spent += time.Duration(rec.Seconds * float64(time.Second))
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

func shapeKey(comparison string, form study.Form) string {
	if form == study.FormFloor {
		form = study.FormSlices
	}
	return string(form) + " " + comparison
}

func (r *run) judge(i int) error {
	res, err := stat.JudgeOne(r.plan, r.plan.Comparisons[i].ID, r.records, r.plan.Floors)
	if err != nil {
		return exitcode.Errorf(exitcode.Usage, "the records cannot be judged: %w", err)
	}
	r.results[i] = res
	r.shareFloor(i)
	return nil
}

// shareFloor hands a floor that was just measured to the other arms of the
// same baseline: it is a property of that, not of the arm.
func (r *run) shareFloor(i int) {
	floor := r.results[i].Floor
	if floor == nil {
		return
	}
	key := floorKey(r.plan, r.plan.Comparisons[i])
	for j, c := range r.plan.Comparisons {
		if _, known := r.plan.Floors[c.ID]; j != i && !known && floorKey(r.plan, c) == key {
			if r.plan.Floors == nil {
				r.plan.Floors = map[string]float64{}
			}
			r.plan.Floors[c.ID] = *floor
		}
	}
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
	oldLayout, right := want.Layout, c.New
	if want.Form == study.FormFloor {
		oldLayout, right = 0, c.Old
	}
	for _, build := range []struct {
		plain  string
		layout int
	}{{c.Old.Binary, oldLayout}, {right.Binary, want.Layout}} {
		if err := r.ensure(ctx, build.plain, build.layout); err != nil {
			return err
		}
	}
	r.o.Progress.Measure(r.spent, r.o.Budget, describe(c, want))
	old, new, newLeaf := r.bs.side(c.Old.Binary, oldLayout, c.Cell), r.bs.side(right.Binary, want.Layout, c.Cell), right.Leaf
	l := duet.Launch{
		Plan: r.digest, Seed: r.plan.Seed, Rule: r.plan.Rule, Comparison: c.ID, Form: want.Form, Layout: want.Layout, Number: want.Launch,
		Old: old, New: new, OldLeaf: c.Old.Leaf, NewLeaf: newLeaf, Timeout: r.o.Timeout,
	}
	if c.Pace != nil {
		l.Pace = *c.Pace
	}
	key := shapeKey(c.ID, want.Form)
	if s, ok := r.shapes[key]; ok {
		l.Shape = &s
	}
	measure := l.Run
	switch {
	case want.Form == study.FormRate:
		measure = l.RunPaced
	case r.plan.Engine == study.EnginePairs:
		measure = l.RunPairs
	}
	rec, shape, err := measure(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return exitcode.Errorf(exitcode.Usage, "%s: %w", c.ID, err)
	}
	switch {
	case rec.Status == study.StatusOK:
		r.shapes[key] = shape
	case rec.FailedSide == "new":
		rec.Error = r.bs.reachable(right.Binary, rec.Error)
	default:
		rec.Error = r.bs.reachable(c.Old.Binary, rec.Error)
	}
	if err := study.Append(r.log, rec); err != nil {
		return exitcode.Errorf(exitcode.Usage, "%s: %w", r.log.Name(), err)
	}
	r.records = append(r.records, rec)
	r.spent += time.Duration(rec.Seconds * float64(time.Second))
	r.o.Progress.Measure(r.spent, r.o.Budget, describe(c, want))
	if err := r.judge(i); err != nil {
		return err
	}
	r.tell(i)
	return nil
}

// ensure builds the test binary of a layout if this run has not yet. Building
// is no measuring time.
func (r *run) ensure(ctx context.Context, plain string, layout int) error {
	id := layoutID(plain, layout)
	if layout == 0 || r.built[id] {
		return nil
	}
	t := r.bs.target(plain)
	r.o.Progress.Step(fmt.Sprintf("building %s shifted, to see what its layout can make (%d)", t, layout))
	b, err := t.build(ctx, layout, r.bs.engine)
	if err != nil {
		return err
	}
	r.built[id] = true
	for _, known := range r.plan.Binaries {
		if known.ID == b.ID { // a resumed run built it before
			if known.SHA256 != b.SHA256 {
				return changed(r.o.Out, t.String())
			}
			return nil
		}
	}
	r.plan.Binaries = append(r.plan.Binaries, r.bs.describe(t, b))
	return nil
}

func describe(c study.Comparison, w study.Want) string {
	what := c.Benchmark + " " + c.Arm
	if len(c.Cell) > 0 {
		what += " " + strings.Join(c.Cell, " ")
	}
	switch {
	case w.Form == study.FormFloor:
		what += " layout floor"
	case w.Layout > 0:
		what += fmt.Sprintf(" shifted %d", w.Layout)
	case w.Form == study.FormLong:
		what += " long form"
	}
	return fmt.Sprintf("%s, launch %d", what, w.Launch+1)
}
