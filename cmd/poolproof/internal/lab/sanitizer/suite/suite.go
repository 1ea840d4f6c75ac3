// Package suite runs the tests of a module in one of four modes and says what
// happened: plainly, with the race detector, and under the sync.Pool sanitizer
// in its two modes. The proofs of the sanitizer (packages corpus, mutants and
// modules) are built on it.
package suite

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
)

// Mode is a way to run tests.
type Mode string

// The modes.
const (
	Plain Mode = "plain"
	Race  Mode = "race"
	Fast  Mode = "fast"
	Exact Mode = "exact"
)

// Modes are all of them, in the order of tables.
var Modes = []Mode{Plain, Race, Fast, Exact}

// ParseModes reads a list of modes, with commas between them.
func ParseModes(list string) (modes []Mode, err error) {
	for name := range strings.SplitSeq(list, ",") {
		switch m := Mode(name); m {
		case Plain, Race, Fast, Exact:
			modes = append(modes, m)
		default:
			return nil, fmt.Errorf("there is no mode %q; the modes are plain, race, fast and exact", name)
		}
	}
	return modes, nil
}

// Env lets a module's tests run outside of any workspace.
var Env = []string{"GOWORK=off", "GOFLAGS=-mod=mod -modcacherw"}

// Run describes a test run.
type Run struct {
	Dir      string   // of the module
	Packages []string // patterns
	Args     []string // flags of go test
	Timeout  time.Duration
	Leaks    bool   // count what was never put
	Poison   string // as the command's -poison and -reuse; "": as by default
	Reuse    string
}

// Outcome is the result of a test run.
type Outcome struct {
	Packages []gotest.Package
	Findings []Finding // of the sanitizer, warnings included
	Pools    []finding.Pool
	Depends  []string      // tests that fail under the sanitizer only because they depend on reuse
	Poisoned []string      // tests that fail without a finding, and only with poison
	Unsteady []string      // tests that failed once, and did not fail again
	Genuine  []string      // tests that fail without the sanitizer, too
	Races    int           // reports of the race detector
	Raced    []string      // tests, and packages outside of their tests, that fail because it reported
	Took     time.Duration // with the time to build
	Stopped  bool          // at the time limit of the run
	Output   string        // of it, for people
	Printed  string        // what go test printed on standard output; only of the sanitizer's modes
	Classes  []string      // "class: test" of the failing tests in which the sanitizer found nothing
	Second   int           // packages that the sanitizer's second pass tested
}

// Failed returns the tests that failed, as "package.Test", and the packages
// that ended in another way than by a failed test.
func (o *Outcome) Failed() (failed []string) {
	for _, p := range o.Packages {
		for _, t := range p.Leaves() {
			failed = append(failed, p.Path+"."+t)
		}
		if p.State != gotest.Passed && p.State != gotest.NoTests && len(p.Tests) == 0 || p.Stopped {
			failed = append(failed, p.Path)
		}
	}
	return failed
}

// Crashed returns the packages whose tests ended before all of them had run, and
// not because time was up.
func (o *Outcome) Crashed() (crashed []string) {
	for _, p := range o.Packages {
		if p.Stopped && !p.TimedOut {
			crashed = append(crashed, p.Path)
		}
	}
	return crashed
}

// TimedOut returns the packages whose tests did not end within the limit that
// go test gave them.
func (o *Outcome) TimedOut() (packages []string) {
	for _, p := range o.Packages {
		if p.TimedOut {
			packages = append(packages, p.Path)
		}
	}
	return packages
}

// Broken returns the packages that could not be built.
func (o *Outcome) Broken() (broken []string) {
	for _, p := range o.Packages {
		if p.State == gotest.BuildFailed || p.State == gotest.SetupFailed {
			broken = append(broken, p.Path)
		}
	}
	return broken
}

// In runs the tests in a mode. An error means that they could not be run at
// all: tests that fail, and do not build, are an outcome.
func (r Run) In(ctx context.Context, m Mode) (*Outcome, error) {
	limited, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	start := time.Now()
	var o *Outcome
	var err error
	switch m {
	case Plain:
		o, err = r.goTest(limited)
	case Race:
		o, err = r.goTest(limited, "-race")
	default:
		o, err = r.sanitized(limited, m)
	}
	if err != nil {
		return nil, err
	}
	o.Took = time.Since(start)
	o.Stopped = limited.Err() != nil
	return o, ctx.Err()
}

// goTest runs go test itself.
func (r Run) goTest(ctx context.Context, args ...string) (*Outcome, error) {
	args = append(append([]string{"test", "-json", "-count=1", "-vet=off", fmt.Sprintf("-timeout=%s", r.Timeout)}, args...), r.Args...)
	cmd := process(ctx, r.Dir, "go", append(args, r.Packages...)...)
	out := newReader()
	cmd.Stdout, cmd.Stderr = out, out
	if err := ran(ctx, cmd.Run()); err != nil {
		return nil, err
	}
	return out.outcome(), nil
}

// ran separates a command that failed or was stopped, which is an outcome, from
// one that could not be run.
func ran(ctx context.Context, err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) || ctx.Err() != nil || errors.Is(err, exec.ErrWaitDelay) {
		return nil
	}
	return err
}
