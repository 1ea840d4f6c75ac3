// Package run measures the launches of a plan, those of the comparison that is
// nearest to its decision first, until the rule has decided or the budget is
// spent.
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
	last    map[string]launched      // the last launch, by kindOf
	used    map[string]time.Duration // what all launches took, by comparison
	first   total                    // first launches of comparisons, which are longer
	later   total                    // the others that first looks are made of
	built   map[string]bool          // padded binaries, by ID
	// linkTime is the real time of linking a padded build, several being linked
	// at once.
	linkTime time.Duration
	// launchOne gives one comparison its next launch; tests have their own.
	launchOne func(ctx context.Context, i int) error
}

// launched is the time of a launch, and its bursts of one side; 0 where time is not
// made of bursts.
type launched struct {
	took   time.Duration
	bursts int
}

// total counts launches and adds up what they took.
type total struct {
	launches int
	took     time.Duration
}

func (t *total) add(took time.Duration) {
	t.launches++
	t.took += took
}

// each returns the average time of a launch, with a launch at least.
func (t total) each() time.Duration { return t.took / time.Duration(t.launches) }

func New(bs *build.Set, o ask.Options, p study.Plan, log *os.File, records []study.Record) (*Run, error) {
	r := &Run{
		bs: bs, o: o, Plan: p, digest: stat.DigestOf(p, records), log: log, Records: records,
		shapes: map[string]duet.Shape{}, last: map[string]launched{}, used: map[string]time.Duration{}, built: map[string]bool{}, Results: make([]study.Result, len(p.Comparisons)),
		linkTime: usualLink,
	}
	r.launchOne = r.launch
	for _, rec := range records {
		key := shapeKey(rec.Comparison, rec.Form)
		if _, known := r.shapes[key]; !known && rec.Status == study.StatusOK && rec.Layout == 0 { // later ones may be shorter
			r.shapes[key] = duet.ShapeOf(rec, p.Rule)
		}
		r.took(rec)
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
	r.last[kindOf(rec.Comparison, rec.Form, rec.Layout)] = launched{d, r.burstsOf(rec)}
	r.used[rec.Comparison] += d
	switch {
	case rec.Layout > 0 || rec.Form == study.FormStretch || rec.Form == study.FormMany:
	case rec.Launch == 0:
		r.first.add(d)
	default:
		r.later.add(d)
	}
}

func (r *Run) judge(i int) error {
	res, err := stat.JudgeOne(r.Plan, r.Plan.Comparisons[i].ID, r.Records)
	if err != nil {
		return fault.Errorf(fault.Defect, "the records cannot be judged: %w", err)
	}
	r.Results[i] = res
	return nil
}

// Measure records launches until the rule wants no more or the budget is spent.
// Each is one of the comparison that is nearest to its decision.
func (r *Run) Measure(ctx context.Context) error {
	for {
		i, more := r.next()
		if !more {
			return nil
		}
		if err := r.admit(i); err != nil {
			return err
		}
		if err := r.launchOne(ctx, i); err != nil {
			return err
		}
	}
}

// admit lets a comparison in that the budget was thought not to reach. It is
// judged again, for the rule wants nothing of a comparison that is skipped.
func (r *Run) admit(i int) error {
	c := &r.Plan.Comparisons[i]
	if c.Skipped == "" {
		return nil
	}
	c.Skipped = ""
	return r.judge(i)
}

// launch measures what the rule wants next of one comparison, and records it.
func (r *Run) launch(ctx context.Context, i int) error {
	c, want := r.Plan.Comparisons[i], *r.Results[i].Want
	if want.Layout > 0 {
		if err := r.pad(ctx, i); err != nil {
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
	l.Shape = r.shapeOf(i)
	rec, shape, err := l.Run(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fault.Errorf(fault.Tools, "%s: %w", c.ID, err)
	}
	switch {
	case rec.Status == study.StatusOK && l.Shape == nil:
		r.shapes[shapeKey(c.ID, want.Form)] = shape
	case rec.Status == study.StatusOK:
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
	case w.Form == study.FormStretch:
		what += " alone"
	case w.Form == study.FormMany:
		what += " in long bursts"
	}
	return fmt.Sprintf("%s, launch %d", what, w.Launch+1)
}

// tell shows how the comparisons stand after a launch of one of them, and its
// verdict as soon as it has fallen.
func (r *Run) tell(i int) {
	if columns, rows := r.o.Progress.Size(); columns > 0 && r.o.Show.Standing != nil {
		r.o.Progress.Table(r.o.Show.Standing(r.Plan, r.Results, columns, rows))
	}
	if res := r.Results[i]; res.Want == nil && r.o.Show.Decided != nil {
		r.o.Progress.Decided(r.o.Show.Decided(r.Plan, r.Plan.Comparisons[i], res, r.o.Verbose))
	}
}
