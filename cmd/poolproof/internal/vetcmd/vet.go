// Package vetcmd is "poolproof vet".
package vetcmd

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/cli"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/exitcode"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/fault"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetprint"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/vetrun"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

// Run is the subcommand.
func Run(ctx context.Context, args []string) (int, error) {
	f, err := parseVet(args)
	switch {
	case errors.Is(err, cli.ErrHelp):
		return exitcode.OK, nil
	case err != nil:
		return exitcode.Usage, err
	case f.explain != "":
		return explain(f.explain)
	}
	tool, err := os.Executable()
	if err != nil {
		return exitcode.Usage, err
	}
	dir, err := os.Getwd()
	if err != nil {
		return exitcode.Usage, err
	}
	o, err := f.options(tool, dir)
	if err != nil {
		return exitcode.Usage, err
	}
	r, err := vetAll(ctx, f, o)
	if err != nil {
		return exitcode.Of(err), err
	}
	if err := f.print(r, dir); err != nil {
		return exitcode.Usage, err
	}
	f.remark(r, dir)
	return vetCode(r), nil
}

// vetAll runs the analysis, with fixes if they are asked for.
func vetAll(ctx context.Context, f *vetFlags, o vetrun.Options) (*vetrun.Result, error) {
	if !f.fix || f.diff {
		return vetrun.Run(ctx, o)
	}
	r, fixed, err := vetrun.Fix(ctx, o)
	if fixed.Findings > 0 {
		cli.Complain(fmt.Errorf("vet: %s in %s", words.Plural(fixed.Findings, "fix", "fixes"), strings.Join(names(o.Dir, fixed.Files), ", ")))
	}
	return r, err
}

// explain answers -explain.
func explain(check string) (int, error) {
	out := bufio.NewWriter(os.Stdout)
	if err := vet.Explain(out, check); err != nil {
		return exitcode.Usage, fault.Option("explain", "", "%w", err)
	}
	return exitcode.OK, out.Flush()
}

// print writes the result in the form that is asked for.
func (f *vetFlags) print(r *vetrun.Result, dir string) error {
	switch {
	case f.json:
		return vetprint.JSON(os.Stdout, r)
	case f.sarif:
		return vetprint.SARIF(os.Stdout, r, cli.Version())
	case f.github:
		return vetprint.GitHub(os.Stdout, r)
	case f.diff:
		patch, err := r.Diff(func(file string) string { return vetrun.Name(dir, file) })
		if err != nil {
			return err
		}
		_, err = os.Stdout.Write(patch)
		return err
	}
	return vetprint.Text(os.Stdout, r, dir, f.verbose)
}

// remark says on standard error what is no finding.
func (f *vetFlags) remark(r *vetrun.Result, dir string) {
	for _, n := range r.Notes {
		cli.Complain(fmt.Errorf("vet: %s", n))
	}
	for _, b := range r.Broken {
		fmt.Fprintln(os.Stderr, b)
	}
	for _, failed := range r.Failed {
		// The stack helps to find the defect.
		line, _, more := strings.Cut(failed, "\n")
		if more && !f.verbose {
			failed = line
		}
		cli.Complain(fmt.Errorf("vet: the analysis of %s; this is a defect of poolproof", failed))
	}
	if n := len(r.GaveUp); n > 0 && !f.verbose {
		cli.Complain(fmt.Errorf("vet: %s too large to be analysed completely; -v names them", words.Plural(n, "function is", "functions are")))
	} else if n > 0 {
		for _, g := range r.GaveUp {
			fmt.Fprintf(os.Stderr, "%s:%d:%d: %s\n", vetrun.Short(dir, g.File), g.Line, g.Col, g.Message)
		}
	}
	if len(r.Broken) > 0 {
		cli.Complain(errors.New("vet: packages that do not compile were not analysed; all others were"))
	}
	if s := vetprint.Summary(r); s != "" {
		gravest := vetrun.Gravest(r.Findings)
		cli.Complain(fmt.Errorf("vet: %s; poolproof vet -explain %s says more", s, gravest.Code))
		if command := r.Confirmer().Command(gravest); command != "" {
			cli.Complain(fmt.Errorf("vet: to see it happen while tests run: %s", command))
		}
	}
}

// names are the files as seen from a folder.
func names(dir string, files []string) (short []string) {
	for _, file := range files {
		short = append(short, vetrun.Short(dir, file))
	}
	return short
}

// vetCode is the exit code of an analysis. A package that the analysis itself
// cannot deal with is a setting that does not work.
func vetCode(r *vetrun.Result) int {
	codes := []int{exitcode.OK}
	if len(r.Findings) > 0 {
		codes = append(codes, exitcode.Findings)
	}
	if len(r.Broken) > 0 {
		codes = append(codes, exitcode.Build)
	}
	if len(r.Failed) > 0 {
		codes = append(codes, exitcode.Usage)
	}
	return exitcode.Highest(codes...)
}
