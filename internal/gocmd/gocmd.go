// Package gocmd asks the go command, for tests, what it says of a package: which
// copies vet reports, and which calls the compiler inlines.
package gocmd

import (
	"os/exec"
	"strings"
	"testing"
)

// Run runs the go command in the folder of the test and returns all that it printed.
// It skips the test where there is no go command.
func Run(t *testing.T, args ...string) (string, error) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	out, err := exec.Command("go", args...).CombinedOutput()
	return string(out), err
}

// Inlined builds the package in testdata/inline and returns what the compiler says of
// the lines of its file inline.go, a line each.
func Inlined(t *testing.T) []string {
	t.Helper()
	out, err := Run(t, "build", "-gcflags=-m", "./testdata/inline")
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var said []string
	for line := range strings.Lines(out) {
		if strings.Contains(line, "inline.go:") {
			said = append(said, strings.TrimSpace(line))
		}
	}
	return said
}
