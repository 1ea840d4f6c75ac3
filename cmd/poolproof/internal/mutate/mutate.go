// Package mutate runs tests on mutants: copies of code with a small error in them,
// which the tests must notice. The files are not touched: the compiler sees a
// mutant through an overlay.
package mutate

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Mutant is a small error: the text Old, found once in a file, is replaced by New.
type Mutant struct {
	Name string
	File string // slash-separated, as seen from the folder of the test
	Old  string
	New  string
	// Tests are the packages whose tests must notice it, as seen from the folder of
	// the test; "": those of that folder.
	Tests string
}

// Text returns the mutated file.
func (m Mutant) Text() (string, error) {
	src, err := os.ReadFile(filepath.FromSlash(m.File))
	if err != nil {
		return "", err
	}
	if n := strings.Count(string(src), m.Old); n != 1 {
		return "", fmt.Errorf("%s: the text is %d times in %s", m.Name, n, m.File)
	}
	return strings.Replace(string(src), m.Old, m.New, 1), nil
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

var asked = flag.Bool("mutants", false, "run tests on mutants of the code that they test (minutes)")

// limit is how long the tests of one mutant may take.
const limit = 4 * time.Minute

// Kill runs the tests on each mutant and expects them to fail, or not to end. It
// does so only if the test binary was given -mutants. With -v it says at the end
// how many were killed, and which only ran into the limit: an error that makes a
// loop endless does that, and so does a machine that is too slow.
func Kill(t *testing.T, mutants []Mutant) {
	if !*asked {
		t.Skip("only with -mutants")
	}
	names := make(map[outcome][]string)
	for _, m := range mutants {
		t.Run(m.Name, func(t *testing.T) {
			outcome, out := m.run(t.Context(), t.TempDir(), limit)
			names[outcome] = append(names[outcome], m.Name)
			switch outcome {
			case killed, timedOut:
				t.Log(outcome)
			default:
				t.Errorf("%s\n%s", outcome, out)
			}
		})
	}
	t.Logf("%d mutants killed, %d timed out after %v: %q", len(names[killed]), len(names[timedOut]), limit, names[timedOut])
}

// outcome is what became of a mutant.
type outcome string

const (
	killed   outcome = "killed"
	timedOut outcome = "timed out" // no test failed before the limit ended them
	survived outcome = "survived"
	noMutant outcome = "no mutant" // it does not compile, or could not be made
)

// run runs the tests on a mutant, which is made in dir, for up to limit.
func (m Mutant) run(ctx context.Context, dir string, limit time.Duration) (outcome, string) {
	list, err := m.overlay(dir)
	if err != nil {
		return noMutant, err.Error()
	}
	ctx, cancel := context.WithTimeout(ctx, limit+time.Minute) // to build
	defer cancel()
	args := []string{"test", "-vet=off", "-short", "-failfast", "-timeout=" + limit.String(), "-overlay=" + list}
	if m.Tests == "" {
		args = append(args, ".")
	}
	out, err := exec.CommandContext(ctx, "go", append(args, strings.Fields(m.Tests)...)...).CombinedOutput()
	text := string(out)
	var exit *exec.ExitError
	switch {
	case err == nil:
		return survived, ""
	case ctx.Err() != nil, strings.Contains(text, "\npanic: test timed out after "), strings.HasPrefix(text, "panic: test timed out after "):
		return timedOut, text
	case !errors.As(err, &exit) || strings.Contains(text, "[build failed]") || strings.Contains(text, "[setup failed]"):
		return noMutant, err.Error() + "\n" + text
	}
	return killed, text
}

// overlay writes the mutated file and the go command's list of it into dir, and
// returns the list's name.
func (m Mutant) overlay(dir string) (string, error) {
	text, err := m.Text()
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, filepath.Base(m.File))
	original, err := filepath.Abs(filepath.FromSlash(m.File))
	if err != nil {
		return "", err
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {original: file}})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	return list, errors.Join(os.WriteFile(file, []byte(text), 0o666), os.WriteFile(list, overlay, 0o666))
}
