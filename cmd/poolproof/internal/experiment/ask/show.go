package ask

import (
	"io"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

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
