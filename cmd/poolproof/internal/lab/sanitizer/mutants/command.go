// Package mutants asks how many misuses of pools in real modules the sanitizer
// finds. It takes published modules at fixed versions, changes one use of a pool
// in each mutant (a Put too early or twice, a reset after Put, a copy left out),
// and runs the module's own tests plainly, with the race detector, and under
// `poolproof test` in its two modes. The module as it is, the control, has to
// pass in each of them without a report. The table is printed in Markdown.
//
//	cd cmd/poolproof && go run ./internal/lab mutants [flags] [NAME]
//
// NAME is a part of a module's or a mutant's name; without one all run. Nothing
// of the modules is kept, unless -copies names a folder.
//
// It exits with 1 if a control is not clean or a mutant does not build, and with
// 3 if something cannot be run.
package mutants

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// Main is the tool, given its arguments. It returns the code to exit with.
func Main(ctx context.Context, args []string) int {
	fs := flag.NewFlagSet("mutants", flag.ExitOnError)
	modes := fs.String("modes", "plain,race,fast,exact", "the modes to run")
	races := fs.Int("race-runs", 3, "run the tests so often with the race detector, as long as nothing is noticed")
	verbose := fs.Bool("v", false, "print what the tests print")
	var f suite.Flags
	if err := f.Parse(fs, args); err != nil {
		return complain(err)
	}
	defer f.Close()
	scratch, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return complain(err)
	}
	defer os.RemoveAll(scratch)
	x := &experiment{copies: f.Copies, scratch: scratch, part: f.Part, timeout: f.Timeout, races: *races, verbose: *verbose}
	if x.modes, err = suite.ParseModes(*modes); err != nil {
		return complain(err)
	}
	if x.log, err = suite.Results[result](&f); err != nil {
		return complain(err)
	}
	code := 0
	if !f.Show {
		if err := x.all(ctx); err != nil {
			code = complain(err)
		}
	}
	mutants, controls := rows(x.log, x.modes, x.wants)
	for _, w := range print(os.Stdout, mutants, controls, x.modes) {
		fmt.Fprintln(os.Stderr, "mutants:", w)
		code = max(code, 1)
	}
	return code
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, "mutants:", err)
	return 3
}
