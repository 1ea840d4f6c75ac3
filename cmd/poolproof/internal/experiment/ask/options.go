// Package ask holds what an experiment is asked: every other room takes it.
package ask

import (
	"github.com/poolproof/poolproof/cmd/poolproof/internal/progress"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Options are a question, and the choices of the user that do not shape its
// answer.
type Options struct {
	study.Question
	Out      string       // folder for what the run writes
	Resume   bool         // go on with the run that Out holds
	Program  bool         // the package is a program, and need not have tests
	Shard    *study.Shard // which of several machines this is; nil: the only one
	Verbose  bool         // say why with each verdict
	Progress progress.Reporter
	Show     Show
}

// Results is the folder in which runs have their folders when the user names
// none.
const Results = ".poolproof"
