// Package experiment carries one question from its plan to its verdict: it
// finds the package, builds the binaries, makes the plan, has launches
// measured until the rule has decided or the budget is spent, and writes the
// files. What is measured is package duet's business, what it means package
// stat's.
package experiment

import (
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Options are the choices of the user.
type Options struct {
	Kind      study.Kind
	Path      string        // study folder, or package: a directory or an import path; "" (KindAA): the built-in benchmarks
	Key       string        // KindVary: the KEY of KEY=value
	Baseline  string        // KindVary: the value that the others are compared with; "" takes the first
	Base      string        // KindBase: the git revision that is compared with
	Head      string        // KindBase: the other one; "": the working tree
	Bench     string        // pattern, as of go test -bench
	Out       string        // folder for what the run writes
	Resume    bool          // go on with the run that Out holds
	Budget    time.Duration // measuring time
	Threshold float64       // practical equality as a share; 0: the study's, else 2 %
	Clock     string        // "auto", "wall" or "cpu"
	Matrix    string        // cells; "" takes the study's
	Tags      string        // build tags
	Timeout   time.Duration // of one answer of a benchmark
	Seed      uint64
	Command   []string // the arguments that ask this question again
	Sanitize  bool     // see that no side misuses a sync.Pool before anything is timed
	Layout    bool     // ask padded builds about a difference of time alone
	Verbose   bool     // report each decision as a step
	Progress  progress.Reporter
}

// Results is the folder in which runs have their folders when the user names
// none.
const Results = ".poolproof"
