// Package experiment carries one question from its plan to its verdict: it
// finds the package, builds the binaries, makes the plan, has launches
// measured until the rule has decided or the budget is spent, and writes the
// files. What is measured is package duet's business, what it means package
// stat's.
package experiment

import (
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Options are a question, and the choices of the user that do not shape its
// answer.
type Options struct {
	study.Question
	Out      string // folder for what the run writes
	Resume   bool   // go on with the run that Out holds
	Verbose  bool   // say why with each verdict
	Progress progress.Reporter
}

// Results is the folder in which runs have their folders when the user names
// none.
const Results = ".poolproof"
