// Package ask holds what an experiment is asked: every other room takes it.
package ask

import (
	"context"
	"io"
	"math"
	"time"

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
	// Until is when the budget of a question ends that is one of all that is done, builds and checks
	// too; zero: it is one of measuring time.
	Until time.Time
}

// Left is the time until the whole budget ends; very long, where it is one of measuring time.
func (o Options) Left() time.Duration {
	if o.Until.IsZero() {
		return math.MaxInt64
	}
	return max(0, time.Until(o.Until))
}

// Checking is the context of checks: where the budget is one of all that is done, it ends when a third
// of that is left, which is for measuring.
func (o Options) Checking(ctx context.Context) (context.Context, context.CancelFunc) {
	if o.Until.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, o.Until.Add(-o.Budget/3))
}

// Results is the folder in which runs have their folders when the user names
// none.
const Results = ".poolproof"

// Show renders what a run finds, for people. The zero Show renders nothing.
type Show struct {
	// Pages are written beside verdict.json.
	Pages []Page
	// Standing lists how all comparisons stand in the midst of a run, in so many
	// columns and rows.
	Standing func(p study.Plan, results []study.Result, columns, rows int) []string
	// Decided says in one line what became of a comparison. why adds the first
	// reason.
	Decided func(p study.Plan, c study.Comparison, r study.Result, why bool) string
}

// Page is a file that a verdict and its records are rendered into.
type Page struct {
	Name   string
	Render func(w io.Writer, v study.VerdictFile, records []study.Record) error
}
