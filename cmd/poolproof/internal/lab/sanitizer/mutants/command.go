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
	"path/filepath"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// Main is the tool, given its arguments. It returns the code to exit with.
func Main(ctx context.Context, args []string) int {
	fs := flag.NewFlagSet("mutants", flag.ExitOnError)
	modes := fs.String("modes", "plain,race,fast,exact", "the modes to run")
	timeout := fs.Duration("timeout", 4*time.Minute, "of the tests of one mutant in one mode")
	races := fs.Int("race-runs", 3, "run the tests so often with the race detector, as long as nothing is noticed")
	copies := fs.String("copies", "", "keep the copies of the modules in this folder")
	name := fs.String("results", "", "keep the results in this file, and do not run again what is in it")
	show := fs.Bool("show", false, "run nothing: print the table of the results")
	verbose := fs.Bool("v", false, "print what the tests print")
	fs.Parse(args)

	scratch, err := os.MkdirTemp("", "mutants")
	if err != nil {
		return complain(err)
	}
	defer os.RemoveAll(scratch)
	x := &experiment{copies: *copies, scratch: scratch, part: fs.Arg(0), timeout: *timeout, races: *races, verbose: *verbose}
	if x.copies == "" {
		x.copies = scratch
	}
	// The go command takes names in an overlay from its own folder on.
	if x.copies, err = filepath.Abs(x.copies); err != nil {
		return complain(err)
	}
	if x.modes, err = suite.ParseModes(*modes); err != nil {
		return complain(err)
	}
	if x.log, err = suite.OpenLog[result](*name); err != nil {
		return complain(err)
	}
	code := 0
	if !*show {
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
