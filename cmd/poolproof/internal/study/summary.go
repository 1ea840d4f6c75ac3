package study

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// SummaryName is the name of a study's committed result, beside its study
// file and its VERDICT.md.
const SummaryName = "RESULT.json"

// Summary is RESULT.json: what a study found when its note was written last,
// small enough to be committed. The index of all studies is made of it.
type Summary struct {
	Schema      int           `json:"schema"`
	Title       string        `json:"title"`
	Question    string        `json:"question,omitempty"`
	Source      string        `json:"source,omitempty"` // where the claims were published
	Measured    string        `json:"measured"`         // YYYY-MM-DD, of the first launch; empty: nothing was measured
	Spent       Duration      `json:"spent"`            // measuring time
	Machine     Machine       `json:"machine"`
	Toolchain   string        `json:"toolchain"`
	Revision    string        `json:"revision,omitempty"`
	Command     []string      `json:"command"` // arguments that ask the same question again
	Comparisons []SummaryRow  `json:"comparisons"`
	Claims      []ClaimResult `json:"claims,omitempty"`
	Stale       []string      `json:"stale,omitempty"` // where the note's text rests on other verdicts
}

// SummaryRow is one comparison of a Summary.
type SummaryRow struct {
	Benchmark string    `json:"benchmark"`
	Arm       string    `json:"arm"`
	Baseline  string    `json:"baseline"`
	Cell      []string  `json:"cell,omitempty"`
	Verdict   Verdict   `json:"verdict"`
	Time      Class     `json:"time,omitempty"`
	Effect    float64   `json:"effect"` // of time, relative change
	Lo        float64   `json:"lo"`
	Hi        float64   `json:"hi"`
	Estimator Estimator `json:"metric,omitzero"` // that decided on time
	Bytes     Counter   `json:"bytes"`
	Allocs    Counter   `json:"allocs"`
}

// Summarise shortens a verdict file.
func Summarise(v VerdictFile) Summary {
	p := v.Plan
	s := Summary{
		Schema: Schema, Title: p.Title, Spent: v.Spent, Machine: p.Machine, Toolchain: p.Toolchain,
		Command: p.Command, Comparisons: []SummaryRow{}, Claims: v.Claims,
	}
	if !p.Dirty { // a revision that was not what ran says nothing
		s.Revision = p.Revision
	}
	if !v.Started.IsZero() {
		s.Measured = v.Started.UTC().Format(time.DateOnly)
	}
	if f := p.Study; f != nil {
		s.Question, s.Source, s.Stale = f.Question, f.Source, f.Prose.Stale(v.Results)
	}
	for _, r := range v.Results {
		s.Comparisons = append(s.Comparisons, SummaryRow{
			Benchmark: r.Benchmark, Arm: r.Arm, Baseline: r.Baseline, Cell: r.Cell, Verdict: r.Verdict, Time: r.Time,
			Effect: r.Deciding.Effect, Lo: r.Deciding.Lo, Hi: r.Deciding.Hi, Estimator: r.Estimator, Bytes: r.Bytes, Allocs: r.Allocs,
		})
	}
	return s
}

// Verdict is that of the comparison which a claim is about, "" if there is
// none.
func (s Summary) Verdict(c ClaimResult) Verdict {
	for _, r := range s.Comparisons {
		if r.Benchmark == c.Benchmark && r.Arm == c.Arm && Holds(r.Cell, strings.Join(c.Cell, " ")) {
			return r.Verdict
		}
	}
	return ""
}

// WriteSummary writes RESULT.json. See WriteFile.
func WriteSummary(path string, s Summary) error { return writeJSON(path, s) }

// ReadSummary reads RESULT.json. ok is false if there is none; a file of
// another Schema is an error.
func ReadSummary(path string) (s Summary, ok bool, err error) {
	err = readJSON(path, &s)
	if errors.Is(err, os.ErrNotExist) {
		return Summary{}, false, nil
	}
	if err != nil {
		return Summary{}, false, fmt.Errorf("%w (poolproof try -update writes it)", err)
	}
	return s, true, nil
}
