package sanitize

import (
	"maps"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
)

// Class says why a test failed in which nothing was found. It is a word for
// machines, which never changes; [Class.Advice] says the same to people.
type Class string

// The classes of failures.
const (
	Build    Class = "build"    // the package does not build
	Genuine  Class = "genuine"  // it fails plainly, too
	TimedOut Class = "timeout"  // it does not end in time
	Killed   Class = "killed"   // the system kills it
	Ended    Class = "ended"    // it ends the process before all tests have run
	Poisoned Class = "poison"   // it fails only where memory is overwritten by Put
	Reuse    Class = "reuse"    // it fails only where objects do not come back
	Excused  Class = "excused"  // it is Poisoned, by a misuse that is ignored or known
	Unsteady Class = "unsteady" // it did not fail again
)

// classes are all that there are, with what follows from them.
var classes = map[Class]struct {
	fails     bool // the run fails as it does by a failing test: something is wrong, or was not watched
	unwatched bool // the test, or those after it, were not watched to their end
	advice    string
}{
	Build:    {true, true, "does not build"},
	Genuine:  {true, false, "fails without poolproof too"},
	TimedOut: {true, true, "does not end in time; give it a longer -timeout"},
	Killed:   {true, true, "was killed by the system, usually for lack of memory, and watching needs more: give it more memory, or test fewer packages at a time (-p 1)"},
	Ended:    {true, true, "ends before all its tests have run, only here, also with -delay 0: those after it were not watched; leave out the one that ends it (-skip)"},
	Poisoned: {false, false, "fails only with poison (an error): it reads a pooled array after Put where no hook sees it: through a string, in assembly or C, in fast mode also in Go; bytes 0xdb in its message are that memory"},
	Reuse:    {false, false, "depends on reuse: it wants the same object back, counts allocations, or measures time"},
	Excused:  {false, false, "fails only with poison: it goes on with memory after a Put that is ignored or known"},
	Unsteady: {false, false, "did not fail again"},
}

// Classes returns all classes, sorted.
func Classes() []Class { return slices.Sorted(maps.Keys(classes)) }

// Advice says what a class means, and what to do.
func (c Class) Advice() string { return classes[c].advice }

// Unwatched reports whether tests of that class, or those after them, were not watched to
// their end.
func (c Class) Unwatched() bool { return classes[c].unwatched }

// Failure is a test, or a whole package, that failed without a finding.
type Failure struct {
	Test  finding.Test // Name is "" where the package failed as a whole
	Class Class
}

// Fails reports whether a failure is one that the user has to mend, as that of any test. A
// test that is Poisoned is not: it fails the run as a finding does.
func (f Failure) Fails() bool { return classes[f.Class].fails }
