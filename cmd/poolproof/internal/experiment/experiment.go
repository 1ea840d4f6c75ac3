package experiment

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/builtin"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/report"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Outcome is what a run gave.
type Outcome struct {
	Verdict study.VerdictFile
	Records []study.Record
	Notices []string // one line each, for the user
}

// Plan makes the plan of the options' question without measuring anything:
// what -dry-run prints. It builds the binary in a folder that it removes.
func Plan(ctx context.Context, o Options) (study.Plan, error) {
	scratch, err := os.MkdirTemp("", "poolproof")
	if err != nil {
		return study.Plan{}, exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	defer os.RemoveAll(scratch)
	t, file, err := prepare(ctx, o, scratch, scratch, scratch)
	if err != nil {
		return study.Plan{}, err
	}
	return plan(ctx, t, o, file)
}

// prepare finds what the options name. home is where the built-in module goes:
// its path stands in the binary, so that a run and its resumption need the
// same.
func prepare(ctx context.Context, o Options, home, scratch, bin string) (*target, *study.File, error) {
	if o.Kind == study.KindAA && o.Path == "" {
		dir := filepath.Join(home, bundled)
		if err := builtin.Extract(dir); err != nil {
			return nil, nil, exitcode.Errorf(exitcode.Usage, "%w", err)
		}
		t, err := find(ctx, dir, o.Tags, scratch, bin)
		return t, nil, err
	}
	if o.Kind != study.KindStudy {
		t, err := find(ctx, o.Path, o.Tags, scratch, bin)
		return t, nil, err
	}
	file, err := study.Read(o.Path)
	if err != nil {
		return nil, nil, exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	dir := o.Path
	if filepath.Base(dir) == "study.toml" {
		dir = filepath.Dir(dir)
	}
	tags := file.Tags
	if o.Tags != "" {
		tags = o.Tags
	}
	t, err := find(ctx, filepath.Join(dir, filepath.FromSlash(file.Package)), tags, scratch, bin)
	return t, &file, err
}

// Run answers the options' question and writes the files of the run into
// o.Out. When ctx ends it stops, writes what it has and returns it with the
// context's error: nothing measured is lost, and a run with Resume goes on.
func Run(ctx context.Context, o Options) (Outcome, error) {
	scratch, err := os.MkdirTemp("", "poolproof")
	if err != nil {
		return Outcome{}, exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	defer os.RemoveAll(scratch)
	bin, err := filepath.Abs(filepath.Join(o.Out, binaries))
	if err != nil {
		return Outcome{}, exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	if !o.Resume {
		if err := fresh(o.Out); err != nil {
			return Outcome{}, err
		}
	}
	t, file, err := prepare(ctx, o, o.Out, scratch, bin)
	if err != nil {
		return Outcome{}, err
	}
	var p study.Plan
	if o.Resume {
		p, err = resume(ctx, t, o)
	} else {
		p, err = plan(ctx, t, o, file)
		if err == nil {
			err = study.WritePlan(filepath.Join(o.Out, planFile), p)
		}
	}
	if err != nil {
		return Outcome{}, err
	}
	return record(ctx, t, o, p)
}

// record measures and writes.
func record(ctx context.Context, t *target, o Options, p study.Plan) (Outcome, error) {
	log, records, notice, err := study.OpenLog(filepath.Join(o.Out, recordsFile))
	if err != nil {
		return Outcome{}, exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	defer log.Close()
	var out Outcome
	if notice != "" {
		out.Notices = append(out.Notices, notice)
	}
	r, err := newRun(t, o, p, log, records)
	if err != nil {
		return out, err
	}
	stopped := r.measure(ctx)
	o.Progress.Clear()
	if stopped != nil && !errors.Is(stopped, context.Canceled) {
		return out, stopped
	}
	out.Records = r.records
	if out.Verdict, err = stat.JudgeWith(r.plan, r.records, r.plan.Floors); err != nil {
		return out, exitcode.Errorf(exitcode.Usage, "the records cannot be judged: %w", err)
	}
	out.Verdict.Interrupted = stopped != nil
	keepFloors(r.plan, out.Verdict.Results)
	if err := write(o.Out, r.plan, out); err != nil {
		return out, exitcode.Errorf(exitcode.Usage, "%w", err)
	}
	return out, stopped
}

// write renders the verdict into its files.
func write(dir string, p study.Plan, out Outcome) error {
	if err := study.WritePlan(filepath.Join(dir, planFile), p); err != nil {
		return err
	}
	if err := study.WriteVerdict(filepath.Join(dir, verdictFile), out.Verdict); err != nil {
		return err
	}
	if err := WriteNote(filepath.Join(dir, noteFile), out.Verdict); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, benchFile))
	if err != nil {
		return err
	}
	if err := report.BenchText(f, out.Verdict, out.Records); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// WriteNote writes the verdict as an engineering note, VERDICT.md.
func WriteNote(name string, v study.VerdictFile) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := report.Markdown(f, v); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
