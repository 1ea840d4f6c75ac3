package noise

import (
	"context"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/lab/vet/corpus"
)

// Finding is a report with its judgement.
type Finding struct {
	corpus.Report
	Review *Review // nil: not read yet
}

// Test says whether the report is in a test.
func (f Finding) Test() bool { return strings.HasSuffix(f.File, "_test.go") }

// Measurement is the result of analysing one module.
type Measurement struct {
	Module
	Lines int
	// Generated are those of the lines that are in generated files; 0 in the records of
	// the first four draws, which did not count them.
	Generated int
	CPU       time.Duration // of the analysis, with what the go command needs for it
	Wall      time.Duration
	Findings  []Finding
	Failures  []string // packages that were not analysed
	Stale     []Review // judgements of reports that are no longer made
}

// Measure analyses a tree.
func Measure(ctx context.Context, tool corpus.Tool, t Tree, reviews *Reviews) (Measurement, error) {
	m := Measurement{Module: t.Module}
	var err error
	if m.Lines, m.Generated, err = Lines(t.Dir); err != nil {
		return m, err
	}
	run, err := tool.Vet(ctx, t.Dir, t.Patterns...)
	if err != nil {
		return m, err
	}
	m.CPU, m.Wall, m.Failures = run.CPU, run.Wall, run.Failures
	used := make(map[Review]bool)
	for _, r := range run.Reports {
		f := Finding{Report: r, Review: reviews.Of(t.Module, r)}
		if f.Review != nil {
			used[*f.Review] = true
		}
		m.Findings = append(m.Findings, f)
	}
	for _, v := range reviews.Report {
		if v.Module == t.Name && v.Version == t.Version && !used[v] {
			m.Stale = append(m.Stale, v)
		}
	}
	return m, nil
}

// Count returns how many reports there are of a tier, in code that is shipped or
// in tests.
func (m Measurement) Count(tier string, test bool) (n int) {
	for _, f := range m.Findings {
		if f.Tier == tier && f.Test() == test {
			n++
		}
	}
	return n
}

// Unread are the reports of the error tier without a judgement.
func (m Measurement) Unread() (list []Finding) {
	for _, f := range m.Findings {
		if f.Tier == "error" && f.Review == nil {
			list = append(list, f)
		}
	}
	return list
}

// False counts the reports of a tier in shipped code that are false alarms: judged false,
// or harmless.
func (m Measurement) False(tier string) (n int) {
	for _, f := range m.Findings {
		if f.Tier == tier && !f.Test() && f.Review != nil && (f.Review.Judgement == False || f.Review.Judgement == Harmless) {
			n++
		}
	}
	return n
}
