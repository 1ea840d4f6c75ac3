// Package poison runs the test suites of published modules twice under
// `poolproof test`: as users run it, with poison and the second pass, and
// without both. Poison must never touch memory of another owner, so the
// outcome of each test has to be the same, but for true defects.
//
//	cd cmd/poolproof && go run ./internal/lab poison [flags] [NAME]
//
// NAME is a part of a module's name and version; without one all run. It exits
// with 1 if a test's outcome differs, and with 3 if something cannot be run.
package poison

import (
	"context"
	"os"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/sanitizer/suite"
)

// Main is the tool, given its arguments. It returns the code to exit with.
func Main(ctx context.Context, args []string) int {
	from, err := suite.Begin[result]("poison", "", args, nil)
	if err != nil {
		return suite.Complain("poison", err)
	}
	defer from.Close()
	s := &survey{from}
	if !s.Show {
		if err := s.all(ctx, targets()); err != nil {
			return suite.Complain("poison", err)
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
