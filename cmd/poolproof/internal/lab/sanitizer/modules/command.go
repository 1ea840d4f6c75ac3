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
	"fmt"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// Main is the tool, given its arguments. It returns the code to exit with.
func Main(ctx context.Context, args []string) int {
	from, err := suite.Begin[result]("modules", "fast,exact", args, nil)
	if err != nil {
		return suite.Complain("modules", err)
	}
	defer from.Close()
	s := &survey{from}
	if !s.Show {
		for _, targets := range [][]Target{silent, judged} {
			if err := s.all(ctx, targets); err != nil {
				return suite.Complain("modules", err)
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
