// Package trycmd is "poolproof try": flags, a question, packages, what is printed, and
// an exit code.
package trycmd

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"regexp"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/experiment/ask"
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
	return tryAll(ctx, f, newBatch(questions), cmp.Or(f.out, ask.Results), questions, false)
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

// parseTry reads the command line of try and refuses what makes no sense.
// errHelp: it asked for help and was answered.
func parseTry(args []string) (*tryFlags, error) {
	f := &tryFlags{Question: study.DefaultQuestion(), given: map[string]bool{}}
	fs := flag.NewFlagSet("try", flag.ContinueOnError)
	for _, o := range f.all() {
		o.bind(fs)
	}
	var err error
	if f.args, err = cli.Parse(fs, args, Help); err != nil {
		return nil, fmt.Errorf("try: %w", err)
	}
	fs.Visit(func(fl *flag.Flag) { f.given[fl.Name] = true })
	if f.unpool {
		f.takePool()
	}
	return f, f.check()
}

// poolPlace is the place of a pool among the arguments.
var poolPlace = regexp.MustCompile(`\.go:\d+(:\d+)?$`)

// takePool takes the place of the one pool that is asked about from the arguments.
// Without a package all are meant.
func (f *tryFlags) takePool() {
	if len(f.args) > 0 && poolPlace.MatchString(f.args[0]) {
		f.Pool, f.args = f.args[0], f.args[1:]
	}
	if len(f.args) == 0 {
		f.args = []string{"./..."}
	}
}
