package vetrun

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/vet"
)

var (
	// seenRunning are the checks whose defects "poolproof test" reports when a test reaches
	// the line.
	seenRunning = []string{"PV001", "PV002", "PV003", "PV004", "PV007", "PV011", "PV014", "PV015", "PV017"}

	// seenCounted are those that the table of its flag -leaks shows.
	seenCounted = []string{"PV005", "PV006"}
)

// Confirmer says how to see a finding while tests run. It keeps what it has read of the
// source. The zero Confirmer is ready for use, by one goroutine.
type Confirmer struct {
	folders map[string]calls
}

// foreignMemory reports whether a finding of PV021 is about memory that was in no pool: its
// owner goes on to use it, which is seen. That a pool gets an object of another one is not.
func foreignMemory(f vet.Finding) bool {
	return f.Code == "PV021" && !strings.Contains(f.Message, "comes from the pool") && !strings.Contains(f.Message, "comes from another pool")
}

// Command returns the command that shows a finding while tests run, "" if the sanitizer
// does not look for such a defect. The command names the test around the finding, or a few
// tests of the same folder that lead to it; otherwise it runs all tests of the package.
func (c *Confirmer) Command(f vet.Finding) string {
	command := "poolproof test "
	switch {
	case slices.Contains(seenCounted, f.Code):
		command += "-leaks "
	case !slices.Contains(seenRunning, f.Code) && !foreignMemory(f):
		return ""
	}
	switch tests := c.tests(f); len(tests) {
	case 0:
	case 1:
		command += "-run '^" + tests[0] + "$' "
	default:
		command += "-run '^(" + strings.Join(tests, "|") + ")$' "
	}
	return command + strings.TrimSuffix(f.Package, "_test")
}

// tests returns the tests that lead to a finding, none if too many do.
func (c *Confirmer) tests(f vet.Finding) []string {
	dir := filepath.Dir(f.File)
	known, ok := c.folders[dir]
	if !ok {
		known = callsOf(dir)
		if c.folders == nil {
			c.folders = map[string]calls{}
		}
		c.folders[dir] = known
	}
	return known.testsAround(f.File, f.Line)
}
