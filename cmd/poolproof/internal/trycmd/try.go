// Package trycmd is "poolproof try": flags, a question, packages, what is printed, and
// an exit code.
package trycmd

import (
	"context"
	"errors"
	"fmt"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/build"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Run is the subcommand.
func Run(ctx context.Context, args []string) (int, error) {
	f, err := parseTry(args)
	switch {
	case errors.Is(err, cli.ErrHelp):
		return exitcode.OK, nil
	case err != nil:
		return exitcode.Usage, err
	case f.resume != "":
		return tryResume(ctx, f)
	case f.mode == modeFiles:
		return tryFiles(f)
	case f.judge != "" && f.several():
		return tryMachines(f)
	case f.judge != "":
		return tryJudge(f)
	case f.index != "":
		return tryIndex(f.index)
	}
	if f.cmd != "" {
		return tryProgram(ctx, f)
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

// tryJudge judges again what a run recorded.
func tryJudge(f *tryFlags) (int, error) {
	out, err := experiment.JudgeAgain(f.judge, Shown)
	for _, n := range out.Notices {
		cli.Complain(errors.New(n))
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

// dryRunAll prints the plans of several questions.
func dryRunAll(ctx context.Context, f *tryFlags, questions []experiment.Options) (int, error) {
	code := exitcode.OK
	for i, o := range questions {
		if i > 0 && !f.json {
			fmt.Println()
		}
		c, err := tryOne(ctx, f, o, "")
		if errors.As(err, &build.Nothing{}) && len(questions) > 1 {
			cli.Complain(nothingToCompare(o, err))
			continue
		}
		code = exitcode.Highest(code, c, exitcode.Of(err))
		if i == len(questions)-1 || errors.Is(err, context.Canceled) {
			return code, err
		}
		cli.Complain(err) // and go on with the next
	}
	return code, nil
}
