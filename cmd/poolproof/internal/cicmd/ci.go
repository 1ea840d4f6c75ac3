package cicmd

import (
	"context"
	"os"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/forge"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// Run is the subcommand.
func Run(ctx context.Context, args []string) (int, error) {
	f, err := parse(args)
	if err != nil {
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
	return w.code(), nil
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
