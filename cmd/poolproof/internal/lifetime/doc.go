// Package lifetime watches a run of benchmarks or tests, and says of the objects that
// each of some sites allocates how long the program can reach them, and where it touches them
// last. What it says was observed in that run: it is no proof for others.
//
// Two observations go together. After a function that was called has returned, the
// collector runs: an object that it frees then was reachable from nowhere, whatever code
// (assembly, C, reflection) had it before. And each load and store that the compiler
// instruments tells where an object is touched, and by which goroutine.
//
// A [Site] is a line that allocates, with the lines of the calls that led there; the
// functions of these lines, in a copy of the source, tell when they begin and end.
package lifetime

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
)

// Line is a line of source.
type Line struct {
	File string // absolute
	Line int
}

// Site is a line of the user's module that allocates, itself or in a function of another
// module that it calls.
type Site struct {
	Line
	// Charged are the lines whose allocations count for the site; none: all that is
	// allocated at its own line.
	Charged []Charged
	// Callers are the lines of the user's modules, test files left out, that the stacks
	// of the allocations have outwards of the site. They tell which calls a benchmark or test
	// makes: an object that is reachable when such a call has returned was handed out. Without
	// them the function of the site counts as what was called.
	Callers []Line
}

// Charged is a line whose allocations count for a site.
type Charged struct {
	Line
	// Callee is the function that is called there and allocates, as the runtime names it; "":
	// the line itself does.
	Callee string
	// Grows: a bytes.Buffer or strings.Builder grows, in whatever is called there.
	Grows bool
}

// Question says what to watch, and where.
type Question struct {
	Toolchain  *overlay.Toolchain
	Dir        string        // of the package whose benchmarks or tests run
	Tags       string        // build tags, separated by commas
	Benchmarks []string      // full names, as BenchmarkEncode/size=1K
	Tests      []string      // full names, as TestEncode
	Sites      []Site        // of any package of the module
	Cache      string        // folder for files that later builds use again
	Limit      time.Duration // of the run, without the build; 0: a minute
}

// Class says how long the objects of a site can be reached, and so who could use their
// memory again.
type Class string

// The classes. The first two make a site a candidate.
const (
	// InFunction: no object can be reached any more when the function that allocated
	// it has returned.
	InFunction Class = "function"
	// InCall: no object can be reached any more when the function of [Observation.Call] has
	// returned, which has called the one that allocated it.
	InCall Class = "call"
	// Returned: objects are reachable when the call by the benchmark or test has returned: they
	// were handed to it. None is reachable when the operation has ended.
	Returned Class = "returned"
	// Kept: objects are reachable when the operation has ended in which they were made.
	Kept Class = "kept"
	// Shared: objects are touched by another goroutine than the one that made them; the
	// order between the two was not watched.
	Shared Class = "shared"
	// Unknown: too little was seen; [Observation.Why] says what is missing.
	Unknown Class = "unknown"
)

// Observation is the result of a run for the objects of one site.
type Observation struct {
	Site  Site
	Class Class
	Why   string // one sentence that says why the class is this one, with file:line of what was seen

	Objects int   // that were followed
	Bytes   int64 // of them

	// Of the objects followed so many can no longer be reached when ...
	Function  int // ... the function that allocated them has returned
	Call      int // ... a function has returned that called it
	Operation int // ... the operation has ended
	Later     int // ... later, or they were reachable at the end of the run

	Within string // the function of InFunction or InCall, as "(*Encoder).Encode"
	Where  Line   // of its declaration

	Last  Access // the latest one, counted from where the life of its object began
	Other Access // the first one by another goroutine; its Line is zero if there is none

	// Wait is how many operations pass, on average, from the one that makes an object until the
	// collector frees it, where nothing forces it to; -1: the run was too short to see that.
	Wait float64
}

// Candidate reports whether the memory of the site's objects can be used again inside of
// the module, as far as this run has shown.
func (o Observation) Candidate() bool { return o.Class == InFunction || o.Class == InCall }

// Access is one access to an object.
type Access struct {
	Line
	Func  string // as the runtime names it
	Write bool
	// Via is the function of the standard library or of another module, called at
	// Line, that touches the object; "" if the code of Line does.
	Via string
}

// String is "FILE:LINE" with the file's base name.
func (l Line) String() string { return fmt.Sprintf("%s:%d", filepath.Base(l.File), l.Line) }

// String says where the access is, and what does it.
func (a Access) String() string {
	what := "read"
	if a.Write {
		what = "written"
	}
	if a.Via != "" {
		return fmt.Sprintf("%s (%s by %s)", a.Line, what, a.Via)
	}
	return fmt.Sprintf("%s (%s)", a.Line, what)
}
