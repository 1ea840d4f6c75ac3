// Package sanitize runs go test with binaries that watch how they use
// sync.Pool, and says what it saw. The compiler's own memory
// instrumentation calls hooks that an overlay of the runtime brings; the user's code is built as it is.
//
// Data flows one way:
//
//	toolchain   the user's toolchain -> overlay files
//	fields      the packages of the build -> fields whose arrays belong to their object
//	            go test, whose binaries write records
//	record      their lines -> processes
//	finding     processes -> findings, less what is ignored or known
//
// This package drives them, in three steps over values. A plan is how the packages of one
// module are built, watched and plainly (prepare); a runner makes an observation of each go
// test that it runs (run); a classifier says why tests failed in which nothing was found,
// and runs the second pass (classify). All enter what they found in one ledger, which
// becomes the [Result]. The package prints nothing but what go test prints.
package sanitize

import (
	"fmt"
	"io"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/finding"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/gotest"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/toolchain"
)

// Mode says how much is watched.
type Mode = toolchain.Mode

// The modes.
const (
	Exact = toolchain.Exact // each load and store
	Fast  = toolchain.Fast  // Put, Get, and what the runtime itself touches; checksums of what is in a pool
)

// Options say what to run, and how.
type Options struct {
	Dir      string   // where the go command runs; "": the current folder
	Packages []string // patterns, as for go test; none: the package in Dir
	Flags    []string // of go test, as "-short" or "-overlay=o.json"
	Binary   []string // arguments of the test binaries, as after go test -args
	Env      []string // added to the environment, as NAME=value

	Mode   Mode   // "": Exact
	Delay  *int   // an object comes back after so many others of its pool; nil: never
	Poison string // "auto", "on" or "off": overwrite what was put; "": auto
	Strict bool   // warnings count
	Reuse  string // "on", or "off": no second pass with forced reuse; "": on
	Follow bool   // list the fields of pooled types, and whether what they refer to is followed
	Leaks  bool   // count what was never put, which costs a collection at the end

	Baseline       string // file of known misuse; "": none
	UpdateBaseline bool   // write it again

	Stdout, Stderr io.Writer // of go test; nil: nowhere
	Cache          string    // folder for overlay files; "": below the user's cache folder
}

// Result holds the findings of a run, and what is needed to judge them.
type Result struct {
	Findings   []*finding.Finding // that count: errors first
	Suppressed []*finding.Report  // by directives and the baseline
	Pools      []finding.Pool     // none in Fast without Leaks or Delay, which does not count all
	Failures   []Failure          // failing tests in which nothing was found
	Poison     map[string]string  // by package and test, with a space between: a line of its output that shows poison
	Followed   []Followed         // with Follow
	Unwatched  []Unwatched        // pooled types whose uses after Put are not reported
	Notes      []string           // what the user should know, a sentence each

	Packages    []gotest.Package // as go test said
	Launched    int              // test binaries that ran, and were watched
	Poolless    int              // packages that use no pool, tested as go test does
	Baseline    int              // entries written by UpdateBaseline
	Second      SecondPass       // with forced reuse
	Interrupted bool             // it is the part until then
	JSON        bool             // go test printed events, as the flags or GOFLAGS asked

	Printer *finding.Printer // how to show the findings
}

func (r *Result) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(r.Notes, text) {
		r.Notes = append(r.Notes, text)
	}
}
