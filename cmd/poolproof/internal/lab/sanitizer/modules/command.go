// Package modules runs the whole test suites of published modules under
// `poolproof test`: of those that use their pools as they should, which have to
// stay silent, and of those whose reports are judged one by one. The tables are
// printed in Markdown.
//
//	cd cmd/poolproof && go run ./internal/lab modules [flags] [NAME]
//
// NAME is a part of a module's name and version; without one all run. Nothing
// of the modules is kept, unless -copies names a folder.
//
// It exits with 1 if a module that has to be silent is not, or a report is not
// judged, and with 3 if something cannot be run.
package modules

import (
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// Main is the tool, given its arguments. It returns the code to exit with.
func Main(ctx context.Context, args []string) int {
	fs := flag.NewFlagSet("modules", flag.ExitOnError)
	modes := fs.String("modes", "fast,exact", "the modes to run")
	verbose := fs.Bool("v", false, "print what the tests print")
	var f suite.Flags
	if err := f.Parse(fs, args); err != nil {
		return complain(err)
	}
	defer f.Close()
	s := &survey{copies: f.Copies, part: f.Part, timeout: f.Timeout, verbose: *verbose}
	var err error
	if s.modes, err = suite.ParseModes(*modes); err != nil {
		return complain(err)
	}
	if s.log, err = suite.Results[result](&f); err != nil {
		return complain(err)
	}
	if !f.Show {
		for _, targets := range [][]Target{silent, judged} {
			if err := s.all(ctx, targets); err != nil {
				return complain(err)
			}
		}
	}
	wrong := printSilent(os.Stdout, s, silent)
	fmt.Println()
	wrong = append(wrong, printJudged(os.Stdout, s, judged)...)
	for _, w := range wrong {
		fmt.Fprintln(os.Stderr, "modules:", w)
	}
	if len(wrong) > 0 {
		return 1
	}
	return 0
}

func complain(err error) int {
	fmt.Fprintln(os.Stderr, "modules:", err)
	return 3
}
