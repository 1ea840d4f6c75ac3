package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/report"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// try is the subcommand.
func try(ctx context.Context, args []string) (int, error) {
	f, err := parseTry(args)
	switch {
	case errors.Is(err, errHelp):
		return exitcode.OK, nil
	case err != nil:
		return exitcode.Usage, err
	case f.resume != "":
		return tryResume(ctx, f)
	case f.judge != "":
		return tryJudge(f)
	case f.index != "":
		return tryIndex(f.index)
	}
	questions, err := f.questions(ctx)
	if err != nil {
		return exitcode.Usage, err
	}
	if len(questions) == 1 {
		return tryOne(ctx, f, questions[0], "")
	}
	if f.dryRun {
		return dryRunAll(ctx, f, questions)
	}
	return tryAll(ctx, f, newBatch(questions), f.batchDir(), questions, false)
}

// tryOne answers one question. whole is the folder of the batch that it is part
// of, if it is.
func tryOne(ctx context.Context, f *tryFlags, o experiment.Options, whole string) (int, error) {
	defer o.Progress.Clear()
	if f.dryRun {
		return dryRun(ctx, f, o)
	}
	out, err := experiment.Run(ctx, o)
	o.Progress.Clear()
	for _, n := range out.Notices {
		complain(errors.New(n))
	}
	interrupted := errors.Is(err, context.Canceled)
	switch {
	case err != nil && !interrupted:
		if out.Judged {
			err = cmp.Or(err, show(f, o, out))
		}
		return exitcode.Of(err), err
	case interrupted && len(out.Records) == 0 && whole != "":
		return exitcode.Interrupted, exitcode.Errorf(exitcode.Interrupted, "interrupted; what is done is kept. To go on: poolproof try -resume %s%w", whole, hidden{err})
	case interrupted && len(out.Records) == 0:
		return exitcode.Interrupted, exitcode.Errorf(exitcode.Interrupted, "interrupted before anything was measured%w", hidden{err})
	}
	if err := show(f, o, out); err != nil {
		return exitcode.Usage, err
	}
	if interrupted {
		return exitcode.Interrupted, exitcode.Errorf(exitcode.Interrupted,
			"interrupted; %s kept. To go on: poolproof try -resume %s%w", launches(len(out.Records)), cmp.Or(whole, o.Out), hidden{err})
	}
	if err := update(f, o, out); err != nil {
		return exitcode.Usage, err
	}
	return codeOf(out.Verdict, f.strict), nil
}

// tryJudge judges again what a run recorded.
func tryJudge(f *tryFlags) (int, error) {
	out, err := experiment.JudgeAgain(f.judge)
	for _, n := range out.Notices {
		complain(errors.New(n))
	}
	if err != nil {
		return exitcode.Of(err), err
	}
	o := experiment.Options{Question: study.Question{Kind: out.Verdict.Plan.Kind}, Out: f.judge}
	if err := show(f, o, out); err != nil {
		return exitcode.Usage, err
	}
	return codeOf(out.Verdict, f.strict), nil
}

// update writes the verdict beside the study file, if the user wants that.
func update(f *tryFlags, o experiment.Options, out experiment.Outcome) error {
	if !f.update || o.Kind != study.KindStudy {
		return nil
	}
	if earlier, ok, err := study.ReadSummary(filepath.Join(o.Path, study.SummaryName)); err == nil && ok {
		out.Verdict.Revise(earlier)
	}
	name := filepath.Join(o.Path, study.NoteName)
	if err := experiment.WriteNote(name, out.Verdict); err != nil {
		return exitcode.Errorf(exitcode.Usage, "-update: %w", err)
	}
	fmt.Fprintln(os.Stderr, "wrote", name)
	name = filepath.Join(o.Path, study.SummaryName)
	if err := study.WriteSummary(name, study.Summarise(out.Verdict)); err != nil {
		return exitcode.Errorf(exitcode.Usage, "-update: %w", err)
	}
	fmt.Fprintln(os.Stderr, "wrote", name)
	return nil
}

// dryRunAll prints the plans of several questions.
func dryRunAll(ctx context.Context, f *tryFlags, questions []experiment.Options) (int, error) {
	code := exitcode.OK
	for i, o := range questions {
		if i > 0 && !f.json {
			fmt.Println()
		}
		c, err := tryOne(ctx, f, o, "")
		code = exitcode.Highest(code, c, exitcode.Of(err))
		if i == len(questions)-1 || errors.Is(err, context.Canceled) {
			return code, err
		}
		complain(err) // and go on with the next
	}
	return code, nil
}

// dryRun prints the plan and measures nothing.
func dryRun(ctx context.Context, f *tryFlags, o experiment.Options) (int, error) {
	p, err := experiment.Plan(ctx, o)
	o.Progress.Clear()
	if errors.Is(err, context.Canceled) {
		return exitcode.Interrupted, exitcode.Errorf(exitcode.Interrupted, "interrupted%w", hidden{err})
	}
	if err != nil {
		return exitcode.Of(err), err
	}
	if f.json {
		return exitcode.OK, study.Encode(os.Stdout, p)
	}
	return exitcode.OK, report.PlanText(os.Stdout, p)
}

// show prints what was found.
func show(f *tryFlags, o experiment.Options, out experiment.Outcome) error {
	if f.json {
		return study.Encode(os.Stdout, out.Verdict)
	}
	fmt.Printf("%s\n\n", out.Verdict.Plan.Title)
	var err error
	if o.Kind == study.KindAA {
		err = report.NoiseFloor(os.Stdout, out.Verdict)
	} else {
		err = report.Table(os.Stdout, out.Verdict, columns())
	}
	fmt.Printf("\nfiles: %s\n", o.Out)
	return err
}

// columns is the width of the terminal, or what fits most places.
func columns() int {
	if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && w > 0 {
		return w
	}
	return 160
}

// launches counts them in a sentence.
func launches(n int) string {
	if n == 1 {
		return "1 launch is"
	}
	return fmt.Sprintf("%d launches are", n)
}

// hidden keeps an error in a chain whose text says all without it.
type hidden struct{ error }

func (hidden) Error() string   { return "" }
func (h hidden) Unwrap() error { return h.error }
