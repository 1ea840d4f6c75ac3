package cicmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/forge"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/pull"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// Run is the subcommand.
func Run(ctx context.Context, args []string) (int, error) {
	f, err := parse(args)
	switch {
	case errors.Is(err, cli.ErrHelp):
		return exitcode.OK, nil
	case err != nil:
		return exitcode.Usage, err
	}
	job, err := forge.FromEnvironment(os.Getenv)
	if err != nil {
		return exitcode.Usage, fault.Errorf(fault.Input, "%w", err)
	}
	dir, err := os.Getwd()
	if err != nil {
		return exitcode.Usage, err
	}
	r, err := findRequest(ctx, dir, f.Base, job)
	if err != nil {
		return exitcode.Of(err), err
	}
	f.Base = r.base
	w := &work{flags: f, job: job, request: r, dir: dir, deadline: time.Now().Add(f.Budget)}
	w.report.Base = r.label
	w.report.Command = words.CommandLine(append([]string{"poolproof", "ci", "-base", r.base}, w.again()...))
	if f.sarif != "" {
		if err := os.MkdirAll(f.sarif, 0o777); err != nil {
			return exitcode.Usage, fault.Option("sarif", f.sarif, "%w", err)
		}
	}
	if err := w.all(ctx); err != nil {
		return exitcode.Of(err), err
	}
	if err := w.tell(ctx); err != nil {
		return exitcode.Of(err), err
	}
	if f.failOn == onNothing {
		return exitcode.OK, nil
	}
	return exitcode.Highest(w.codes...), nil
}

// work is one run.
type work struct {
	*flags
	job forge.Job
	request
	dir      string // where it runs
	deadline time.Time

	report   pull.Report
	measured []string // folders of the packages of report.Verdicts
	codes    []int
}

// again are the flags that shape the question.
func (w *work) again() (args []string) {
	usual := flags{}
	for _, x := range []struct {
		name, value string
		differs     bool
	}{{"bench", w.Bench, w.Bench != ""}, {"tags", w.Tags, w.Tags != ""}, {"threshold", w.Thresholds(), w.Thresholds() != usual.Thresholds()}, {"budget", w.Budget.String(), w.Budget != defaultBudget}} {
		if x.differs {
			args = append(args, "-"+x.name, x.value)
		}
	}
	return append(args, w.packages...)
}

// all runs the steps. What is wrong with one does not keep the others from running, unless
// the user interrupts.
func (w *work) all(ctx context.Context) error {
	if len(w.differ) == 0 {
		w.note("no file differs from the base")
		return nil
	}
	for _, step := range []struct {
		name string
		run  func(context.Context) error
	}{{"vet", w.vet}, {"test", w.test}, {"try", w.try}} {
		err := step.run(ctx)
		if ctx.Err() != nil {
			return fault.Errorf(fault.Interrupted, "interrupted")
		}
		if err != nil {
			w.broken(step.name+": "+cli.Worded(err), exitcode.Of(err))
		}
	}
	return nil
}

// left is the time that remains.
func (w *work) left() time.Duration { return time.Until(w.deadline) }

func (w *work) note(format string, args ...any) {
	w.report.Notes = append(w.report.Notes, fmt.Sprintf(format, args...))
}

// broken notes what does not work.
func (w *work) broken(text string, code int) {
	w.report.Broken = append(w.report.Broken, text)
	w.codes = append(w.codes, code)
}

// results is the folder for the files of the comparisons.
func (w *work) results() string { return cmp.Or(w.out, filepath.Join(ask.Results, "ci")) }
