// Package lifetime watches a run of benchmarks or tests, and says of the objects that
// each of some sites allocates how long the program can reach them, and where it touches them
// last. What it says was observed in that run: it is no proof for others.
//
// Two observations go together. After a function that was called has returned, the
// collector runs: an object that it frees then was reachable from nowhere, whatever code
// (assembly, C, reflection) had it before. And each load and store that the compiler
// instruments tells where an object is touched, and by which goroutine.
//
// The functions of a site and of the lines that led there, in a copy of the source, tell when
// they begin and end.
package lifetime

import (
	"fmt"
	"path/filepath"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/overlay"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/profile"
)

// question says what to watch, and where.
type question struct {
	toolchain  *overlay.Toolchain
	dir        string          // of the package whose benchmarks run
	tags       string          // build tags, separated by commas
	benchmarks []string        // full names, as BenchmarkEncode/size=1K
	sites      []*profile.Site // of any package of the module, at most [most]
}

// Class says how long the objects of a site can be reached, and so who could use their
// memory again.
type Class string

// The classes. The memory of the first two could be used again inside of the module, as far as
// the run has shown.
const (
	// InFunction: no object can be reached any more when the function that allocated
	// it has returned.
	InFunction Class = "function"
	// InCall: no object can be reached any more when the function of [Observation.Call] has
	// returned, which has called the one that allocated it.
	InCall Class = "call"
	// Returned: objects are reachable when the call by the benchmark has returned: they
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
	Class  Class         `json:"class"`
	Why    string        `json:"why"`              // one sentence that says why the class is this one, with file:line of what was seen
	Within string        `json:"within,omitempty"` // the function of InFunction or InCall, as "(*Encoder).Encode"
	Where  profile.Place `json:"-"`                // of its declaration

	// Objects were followed; of these so many can no longer be reached when ...
	Objects   int `json:"objects"`
	Function  int `json:"function"`  // ... the function that allocated them has returned
	Call      int `json:"call"`      // ... a function has returned that called it
	Operation int `json:"operation"` // ... the operation has ended
	Later     int `json:"later"`     // ... later, or they were reachable at the end of the run

	Last  Access `json:"-"` // the latest one, counted from where the life of its object began
	Other Access `json:"-"` // the first one by another goroutine; its line is zero if there is none

	// Wait is how many operations pass, on average, from the one that makes an object until the
	// collector frees it, where nothing forces it to; -1: the run was too short to see that.
	Wait float64 `json:"wait"`
}

// Access is one access to an object.
type Access struct {
	profile.Place
	Write bool
	// Via is the function of the standard library or of another module, called at
	// the line, that touches the object; "" if the code of the line does.
	Via string
}

// short is "FILE:LINE" with the file's base name.
func short(p profile.Place) string { return fmt.Sprintf("%s:%d", filepath.Base(p.File), p.Line) }

// String says where the access is, and what does it.
func (a Access) String() string {
	what := "read"
	if a.Write {
		what = "written"
	}
	if a.Via != "" {
		return fmt.Sprintf("%s (%s by %s)", short(a.Place), what, a.Via)
	}
	return fmt.Sprintf("%s (%s)", short(a.Place), what)
}
