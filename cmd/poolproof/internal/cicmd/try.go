package cicmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/annotate"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/pull"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/trycmd"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// least is the shortest time in which a package is worth its builds.
const least = 8 * time.Second

// measuring is the share of a package's time that is for measuring; the rest is for its
// builds, and for padded builds.
const measuring = 0.6

// try compares the benchmarks that run what differs.
func (w *work) try(ctx context.Context) error {
	dirs, err := w.candidates(ctx)
	if err != nil {
		return err
	}
	for i, dir := range dirs {
		share := w.left() / time.Duration(len(dirs)-i)
		if share < least {
			w.note("try: the budget did not reach %s", strings.Join(dirs[i:], ", "))
			break
		}
		if err := w.compare(ctx, dir, time.Duration(measuring*float64(share))); err != nil {
			return err
		}
	}
	worse := w.report.Worse(w.measured, build.Resolved(w.top))
	if w.job.Host == github {
		if err := annotate.Write(os.Stdout, pull.Annotations(worse)); err != nil {
			return err
		}
	}
	return w.writeSARIF("try", func(out io.Writer) error { return pull.SARIF(out, worse, cli.Version()) })
}

// candidates are the packages whose benchmarks are built of something that differs.
func (w *work) candidates(ctx context.Context) ([]string, error) {
	var dirs []string
	for _, pattern := range w.packages {
		found := []string{pattern}
		if strings.Contains(pattern, "...") {
			var err error
			found, _, err = build.Packages(ctx, pattern, w.Tags, w.Bench, "")
			if fault.KindOf(err) == fault.Input {
				w.note("try: %s", cli.Worded(err)) // no benchmarks
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		for _, dir := range found {
			touched, err := build.Touched(ctx, dir, w.Tags, w.top, w.differ)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", dir, err)
			}
			if touched {
				dirs = append(dirs, dir)
			}
		}
	}
	if len(dirs) == 0 {
		w.note("try: no benchmark is built of anything that differs")
	}
	return dirs, nil
}

// compare measures one package. What does not work in it is the report's.
func (w *work) compare(ctx context.Context, dir string, budget time.Duration) error {
	q := w.Question
	q.Path, q.Budget = dir, budget.Round(100*time.Millisecond)
	step(fmt.Sprintf("try %s, measuring for %s at most", dir, q.Budget))
	p := progress.New(os.Stderr)
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(build.Resolved(w.top), build.Resolved(abs))
	if err != nil {
		return err
	}
	folder := strings.ReplaceAll(filepath.ToSlash(filepath.Join("root", rel)), "/", "-")
	out, err := experiment.Run(ctx, experiment.Options{Question: q, Out: filepath.Join(cmp.Or(w.out, filepath.Join(ask.Results, "ci")), folder), Progress: p, Show: trycmd.Shown})
	p.Clear()
	for _, n := range out.Notices {
		cli.Complain(errors.New(n))
	}
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &build.Nothing{}):
		w.note("%s: nothing to compare: %s", dir, cli.Worded(err))
		return nil
	case err != nil:
		text, code := blame(err)
		w.broken(dir+": "+summary(text), code)
		fmt.Fprintln(os.Stderr, cli.Worded(err))
	}
	if !out.Judged {
		return nil
	}
	step(out.Verdict.Plan.Package + ": " + words.StatusOf(out.Verdict))
	w.report.Verdicts, w.measured = append(w.report.Verdicts, out.Verdict), append(w.measured, dir)
	for _, r := range out.Verdict.Results {
		w.codes = append(w.codes, codeOf(r))
	}
	return nil
}

// codeOf is the exit code of one comparison. A benchmark that fails in the base is not the
// request's fault.
func codeOf(r study.Result) int {
	switch {
	case r.Failed != nil && r.Failed.Side != study.Baseline.String():
		return exitcode.Build
	case r.Verdict == study.Negative:
		return exitcode.Findings
	case r.Verdict == study.Unsafe:
		return exitcode.Unsafe
	}
	return exitcode.OK
}

// blame says what is wrong and with which code to exit. That the base does not build is not
// the request's fault.
func blame(err error) (string, int) {
	text := cli.Worded(err)
	if f := new(fault.Error); fault.KindOf(err) == fault.Code && errors.As(err, &f) && f.Option == "base" {
		return "the base does not build: " + f.Err.Error(), exitcode.OK
	}
	if said, ok := strings.CutPrefix(text, build.BaseBinary+": "); ok {
		return "the base does not build: " + said, exitcode.OK
	}
	return text, exitcode.Of(err)
}

// summary is the beginning of an error that goes on with what a compiler says.
func summary(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[:min(len(lines), 4)], " ")
}
