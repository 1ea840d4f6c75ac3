// Package mutate runs tests on mutants: copies of code with a small error in them,
// which the tests must notice. The files are not touched: the compiler sees a
// mutant through an overlay. Mutants of functions are compiled together, into one
// test binary which is told which of them it is.
package mutate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Mutant is a small error: the text Old, found once in a file, is replaced by New.
type Mutant struct {
	Name string
	File string // slash-separated, as seen from the folder of the test
	Old  string
	New  string
	// Tests is the package whose tests must notice it, as seen from the folder of
	// the test; "": that folder.
	Tests string
}

// Text returns the mutated file.
func (m Mutant) Text() (string, error) {
	_, after, err := m.texts()
	return after, err
}

// texts returns the file without the error and with it.
func (m Mutant) texts() (before, after string, err error) {
	src, err := os.ReadFile(filepath.FromSlash(m.File))
	if err != nil {
		return "", "", err
	}
	before = string(src)
	if n := strings.Count(before, m.Old); n != 1 {
		return "", "", fmt.Errorf("%s: the text is %d times in %s", m.Name, n, m.File)
	}
	return before, strings.Replace(before, m.Old, m.New, 1), nil
}

// tests is the package whose tests must notice it.
func (m Mutant) tests() string {
	if m.Tests == "" {
		return "."
	}
	return m.Tests
}

// Fit expects that the text of each mutant is in the code.
func Fit(t *testing.T, mutants []Mutant) {
	t.Helper()
	for _, m := range mutants {
		if _, err := m.Text(); err != nil {
			t.Error(err)
		}
	}
}
