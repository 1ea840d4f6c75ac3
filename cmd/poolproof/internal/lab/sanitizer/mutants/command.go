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
	x := new(experiment)
	from, err := suite.Begin[result]("mutants", "plain,race,fast,exact", args, func(fs *flag.FlagSet) {
		fs.IntVar(&x.races, "race-runs", 3, "run the tests so often with the race detector, as long as nothing is noticed")
	})
	if err != nil {
		return suite.Complain("mutants", err)
	}
	defer from.Close()
	x.Survey = from
	if x.scratch, err = os.MkdirTemp("", "mutants"); err != nil {
		return suite.Complain("mutants", err)
	}
	defer os.RemoveAll(x.scratch)
	code := 0
	if !x.Show {
		if err := x.all(ctx); err != nil {
			code = suite.Complain("mutants", err)
		}
	}
	mutants, controls := rows(x.Log, x.Modes, x.wants)
	for _, w := range print(os.Stdout, mutants, controls, x.Modes) {
		fmt.Fprintln(os.Stderr, "mutants:", w)
		code = max(code, 1)
	}
	return code
}
