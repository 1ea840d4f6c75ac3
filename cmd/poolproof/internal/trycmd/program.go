package trycmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/program"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
)

// list is a flag that may be given several times.
type list []string

func (l *list) String() string { return strings.Join(*l, " ") }

func (l *list) Set(s string) error {
	*l = append(*l, s)
	return nil
}

// checkProgram refuses what makes no sense together with -cmd, and flags that need it.
func (f *tryFlags) checkProgram() error {
	if f.cmd == "" {
		for _, name := range []string{"load", "ready", "metric"} {
			if f.given[name] {
				return bad("-%s goes with -cmd", name)
			}
		}
		return nil
	}
	for _, name := range []string{"bench", "matrix", "changed", "keep", "clock", "record", "dry-run", "layout", "sanitize", "v"} {
		if f.given[name] {
			return bad("-%s does not go with -cmd: it is about benchmarks", name)
		}
	}
	if f.given["ready"] && f.load == "" {
		return bad("-ready goes with -load")
	}
	if f.Bytes > 0 || f.Allocs > 0 {
		return bad("-threshold of bytes and allocs is about benchmarks: give one for all, as 5%%")
	}
	return nil
}

// programQuestion is the question of -cmd.
func (f *tryFlags) programQuestion() (*program.Question, error) {
	q := &program.Question{Question: f.of(f.args[0])}
	var err error
	if q.Cmd, err = program.Words(f.cmd); err != nil {
		return nil, bad("-cmd: %w", err)
	}
	if f.load != "" {
		if q.Load, err = program.Words(f.load); err != nil {
			return nil, bad("-load: %w", err)
		}
	}
	if f.ready != "" {
		if q.Ready, err = regexp.Compile(f.ready); err != nil {
			return nil, bad("-ready: %w", err)
		}
	}
	for _, text := range f.metrics {
		m, err := program.ParseMetric(text)
		if err != nil {
			return nil, bad("-%w", err)
		}
		q.Metrics = append(q.Metrics, m)
	}
	return q, nil
}

// tryProgram compares a whole program in two revisions.
func tryProgram(ctx context.Context, f *tryFlags) (int, error) {
	q, err := f.programQuestion()
	if err != nil {
		return exitcode.Usage, err
	}
	say := progress.New(os.Stderr)
	if f.json {
		say = progress.Quiet()
	}
	file, err := q.Compare(ctx, say)
	say.Clear()
	stopped := errors.Is(err, context.Canceled)
	if stopped && len(file.Launches) == 0 {
		return exitcode.Interrupted, fault.Errorf(fault.Interrupted, "interrupted before anything was measured%w", hidden{err})
	}
	if err != nil && !stopped {
		return exitcode.Of(err), err
	}
	out := cmp.Or(f.out, filepath.Join(ask.Results, nameOf(f.args[0])+"-program"))
	if err := file.Write(out); err != nil {
		return exitcode.Usage, fault.Option("out", out, "cannot write to it: %w", err)
	}
	if f.json {
		err = study.Encode(os.Stdout, file)
	} else if err = term.Program(os.Stdout, file); err == nil {
		fmt.Printf("\nfiles: %s\n", out)
	}
	code := exitcode.OK
	switch {
	case file.Result.Verdict == study.Negative:
		code = exitcode.Findings
	case f.strict && file.Result.Verdict == study.Inconclusive:
		code = exitcode.Undecided
	}
	if stopped {
		return exitcode.Interrupted, fault.Errorf(fault.Interrupted, "interrupted after %s", time.Duration(file.Spent).Round(time.Second))
	}
	return code, err
}
