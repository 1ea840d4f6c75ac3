// Package suite runs the tests of a module in one of four modes and says what
// happened: plainly, with the race detector, and under the sync.Pool sanitizer
// in its two modes. The proofs of the sanitizer (packages corpus, mutants and
// modules) are built on it.
package suite

import (
	"fmt"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize"
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

	Unwatched []sanitize.Unwatched // types whose uses after Put the sanitizer does not report
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
