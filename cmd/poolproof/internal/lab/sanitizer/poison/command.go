// Package poison runs the test suites of published modules twice under
// `poolproof test`: as users run it, with poison and the second pass, and
// without both. Poison must never touch memory that is somebody else's, so the
// outcome of each test has to be the same, but for true defects.
//
//	cd cmd/poolproof && go run ./internal/lab poison [flags] [NAME]
//
// NAME is a part of a module's name and version; without one all run. It exits
// with 1 if a test's outcome differs, and with 3 if something cannot be run.
package poison

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
	fs := flag.NewFlagSet("poison", flag.ExitOnError)
	timeout := fs.Duration("timeout", 4*time.Minute, "of the tests of one module in one run")
	copies := fs.String("copies", "", "keep the copies of the modules in this folder")
	name := fs.String("results", "", "keep the results in this file, and do not run again what is in it")
	show := fs.Bool("show", false, "run nothing: print the table of the results")
	fs.Parse(args)

	s := &survey{copies: *copies, part: fs.Arg(0), timeout: *timeout}
	var err error
	if s.copies == "" {
		if s.copies, err = os.MkdirTemp("", "poison"); err != nil {
			return complain(err)
		}
		defer os.RemoveAll(s.copies)
	}
	if s.copies, err = filepath.Abs(s.copies); err != nil {
		return complain(err)
	}
	if s.log, err = suite.OpenLog[result](*name); err != nil {
		return complain(err)
	}
	if !*show {
		if err := s.all(ctx, targets()); err != nil {
			return complain(err)
		}
	}
	wrong, broken := print(os.Stdout, s)
	switch {
	case broken:
		return 3
	case wrong:
		return 1
	}
	return 0
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, "poison:", err)
	return 3
}
