// Package experiment carries one question from its plan to its verdict. It owns
// the folder of a run: it locks it, writes its files, and leads the question
// through these packages. Each imports only those above it:
//
//	ask    the question, and what the user chose beside it
//	build  finds packages, revisions and modules, and makes the test binaries
//	plan   lists the comparisons, and checks that they are safe and say something
//	run    measures launches until the rule has decided or the budget is spent
//
// What is measured is package duet's business, what it means package stat's.
package experiment

import (
	"cmp"
	"context"
	"path/filepath"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/builtin"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/plan"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/run"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/scratch"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/studyfile"
)

// Outcome is the result of a run.
type Outcome struct {
	Verdict study.VerdictFile
	Judged  bool // Verdict holds one: also where the run broke off
	Records []study.Record
	Notices []string // one line each, for the user
}

// Plan makes the plan of the options' question without measuring anything:
// what -dry-run prints. It builds the binary in a folder that it removes.
func Plan(ctx context.Context, o ask.Options) (study.Plan, error) {
	scratch, remove, err := scratch.Make()
	if err != nil {
		return study.Plan{}, err
	}
	defer remove()
	o.Out = scratch // nothing of a plan stays
	bs, file, err := prepare(ctx, o, places{home: scratch, scratch: scratch, bin: scratch, trees: filepath.Join(scratch, "trees")}, nil)
	if err != nil {
		return study.Plan{}, err
	}
	defer bs.Close()
	return planned(ctx, bs, o, file)
}

// planned makes the plan, within the budget where that is one of all that is done.
func planned(ctx context.Context, bs *build.Set, o ask.Options, file *study.File) (study.Plan, error) {
	if o.Until.IsZero() {
		return plan.Make(ctx, bs, o, file)
	}
	limited, cancel := context.WithDeadline(ctx, o.Until)
	defer cancel()
	p, err := plan.Make(limited, bs, o, file)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		err = fault.Option("budget", o.Budget.String(), "it ended before anything was measured: builds and tests take longer; poolproof try -site %s %s has a budget for measuring alone", o.Site, o.Path)
	}
	return p, err
}

// places are the folders of a run.
type places struct {
	home    string // of the built-in module: its path stands in the binary, so that a run and its resumption need the same
	scratch string // gone with the process
	bin     string // of the binaries
	trees   string // of worktrees, whose paths stand in binaries too
}

// prepare finds what the options name. known is the plan of a run that is
// resumed. The builds are to be closed.
func prepare(ctx context.Context, o ask.Options, at places, known *study.Plan) (*build.Set, *study.File, error) {
	switch o.Kind {
	case study.KindStudy:
		return prepareStudy(ctx, o, at)
	case study.KindBase:
		bs, err := build.FindRevisions(ctx, o, at.trees, at.scratch, at.bin, known)
		return bs, nil, err
	case study.KindUnpool:
		bs, err := build.FindUnpooled(ctx, o, at.scratch, at.bin)
		return bs, nil, err
	case study.KindSite:
		bs, err := build.FindVariants(ctx, o, at.scratch, at.bin)
		return bs, nil, err
	}
	path := o.Path
	if o.Kind == study.KindAA && path == "" {
		path = filepath.Join(at.home, bundled)
		if err := builtin.Extract(path); err != nil {
			return nil, nil, err
		}
	}
	t, err := build.Find(ctx, path, o.Tags, at.scratch, at.bin)
	if err != nil {
		return nil, nil, err
	}
	return build.NewSet(t), nil, nil
}

// prepareStudy reads the study file and finds what its arms are in.
func prepareStudy(ctx context.Context, o ask.Options, at places) (*build.Set, *study.File, error) {
	file, err := studyfile.Read(o.Path)
	if err != nil {
		return nil, nil, err
	}
	dir := o.Path
	if filepath.Base(dir) == study.FileName {
		dir = filepath.Dir(dir)
	}
	tags := file.Tags
	if o.Tags != "" {
		tags = o.Tags
	}
	t, err := build.Find(ctx, filepath.Join(dir, filepath.FromSlash(file.Package)), tags, at.scratch, at.bin)
	if err != nil {
		return nil, nil, err
	}
	bs := build.NewSet(t)
	return bs, &file, bs.FindArms(ctx, &file, dir, tags)
}

// Run answers the options' question and writes the files of the run into
// o.Out. When ctx ends it stops, writes what it has and returns it with the
// context's error: nothing measured is lost, and a run with Resume goes on.
func Run(ctx context.Context, o ask.Options) (Outcome, error) {
	scratch.Sweep()
	build.SweepTrees(ctx)
	scratch, remove, err := scratch.Make()
	if err != nil {
		return Outcome{}, err
	}
	defer remove()
	bin, err := filepath.Abs(filepath.Join(o.Out, binaries))
	if err != nil {
		return Outcome{}, err
	}
	option := "out"
	if o.Resume {
		option = "resume"
	}
	unlock, err := Lock(o.Out, option)
	if err != nil {
		return Outcome{}, err
	}
	defer unlock()
	var known *study.Plan
	if o.Resume {
		p, err := run.ReadPlan(o)
		if err != nil {
			return Outcome{}, err
		}
		known = &p
	} else if err := fresh(o.Out, o.Show); err != nil {
		return Outcome{}, err
	}
	bs, file, err := prepare(ctx, o, places{home: o.Out, scratch: scratch, bin: bin, trees: build.TreesOf(o.Out, scratch)}, known)
	if err != nil {
		return Outcome{}, err
	}
	defer bs.Close()
	var p study.Plan
	if known != nil {
		p, err = run.Rebuild(ctx, bs, o, *known)
		if err == nil && file != nil && !p.Reword(*file) {
			err = fault.Option("resume", o.Out, "%s asks for other measurements now; restore it, or begin a new run", file.Path)
		}
	} else {
		p, err = planned(ctx, bs, o, file)
		o.Budget = time.Duration(p.Budget)
		if err == nil {
			err = study.WritePlan(filepath.Join(o.Out, planFile), p)
		}
	}
	if err != nil {
		return Outcome{}, err
	}
	return record(ctx, bs, o, p)
}

// record measures and writes.
func record(ctx context.Context, bs *build.Set, o ask.Options, p study.Plan) (Outcome, error) {
	log, records, notice, err := study.OpenLog(filepath.Join(o.Out, recordsFile))
	if err != nil {
		return Outcome{}, err
	}
	defer log.Close()
	var out Outcome
	if notice != "" {
		out.Notices = append(out.Notices, notice)
	}
	r, err := run.New(bs, o, p, log, records)
	if err != nil {
		return out, err
	}
	stopped := r.Measure(ctx)
	o.Progress.Clear()
	out.Records = r.Records
	if stopped != nil && len(r.Records) == 0 {
		return out, stopped
	}
	// Whatever ended the measuring: what was measured until then is judged.
	verdict, err := stat.Judge(r.Plan, r.Records)
	if err != nil {
		return out, cmp.Or(stopped, fault.Errorf(fault.Defect, "the records cannot be judged: %w", err))
	}
	if stopped != nil {
		interrupted(&verdict)
	}
	out.Verdict, out.Judged = verdict, true
	if err := write(o, r.Plan, out); err != nil {
		return out, cmp.Or(stopped, fault.Errorf(fault.Tools, "the verdict is valid, but some of its files cannot be written: %w", err))
	}
	return out, stopped
}

// interrupted notes that a run was stopped: not its budget kept comparisons from
// their first launch.
func interrupted(v *study.VerdictFile) {
	v.Interrupted = true
	for i, c := range v.Plan.Comparisons {
		if r := &v.Results[i]; r.Launches == 0 && plan.Measurable(c) {
			r.Reasons = study.Said("the run was stopped before its first launch")
		}
	}
}

// Options are a question, and the choices of the user that do not shape its
// answer.
type Options = ask.Options
