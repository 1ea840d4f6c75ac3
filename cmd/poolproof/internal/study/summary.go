package study

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// NoteName is the name of a study's committed note, beside its study file.
const NoteName = "VERDICT.md"

// SummaryName is the name of a study's committed result, beside its study
// file and its VERDICT.md.
const SummaryName = "RESULT.json"

// Summary is RESULT.json: what a study found when its note was written last,
// small enough to be committed. The index of all studies is made of it.
type Summary struct {
	Schema    int      `json:"schema"`
	Title     string   `json:"title"`
	Question  string   `json:"question,omitempty"`
	Source    string   `json:"source,omitempty"` // where the claims were published
	Measured  string   `json:"measured"`         // YYYY-MM-DD, of the first launch; empty: nothing was measured
	Spent     Duration `json:"spent"`            // measuring time
	Machine   Machine  `json:"machine"`
	Toolchain string   `json:"toolchain"`
	// Revision is that of a result without Provenance, by an earlier version of
	// this program that left it out where the study's module differed from it.
	Revision    string        `json:"revision,omitempty"`
	Provenance  *Provenance   `json:"provenance,omitempty"` // nil: an earlier version did not keep it
	Command     []string      `json:"command"`              // arguments that ask the same question again
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
	Estimator Estimator `json:"estimator,omitzero"` // that decided on time
	Bytes     Counter   `json:"bytes"`
	Allocs    Counter   `json:"allocs"`
	// Metrics and CPU answer claims that are about them.
	Metrics  []MetricResult `json:"metrics,omitempty"`
	CPU      *Estimate      `json:"cpu,omitempty"`
	Launches int            `json:"launches,omitempty"` // that the effect rests on; 0: not kept, by an earlier version
	// Reasons say why there is no verdict, where there is none.
	Reasons []Reason `json:"reasons,omitempty"`
	// Expect is what the study expected when it was measured, ExpectedBefore
	// what it had expected until an earlier measurement was seen.
	Expect         []Verdict `json:"expect,omitempty"`
	ExpectedBefore []Verdict `json:"expected_before,omitempty"`
}

// Result is what the row keeps of its result.
func (r SummaryRow) Result() Result {
	e := Estimate{Effect: r.Effect, Lo: r.Lo, Hi: r.Hi, Class: r.Time, Launches: r.Launches}
	if e.Launches == 0 && r.Estimator != (Estimator{}) {
		e.Launches = 1 // at least
		if r.Lo != r.Hi {
			e.Launches = 2
		}
	}
	res := Result{
		Benchmark: r.Benchmark, Arm: r.Arm, Baseline: r.Baseline, Cell: r.Cell, Verdict: r.Verdict, Time: r.Time,
		Estimator: r.Estimator, Deciding: e, Bytes: r.Bytes, Allocs: r.Allocs, Metrics: r.Metrics, Reasons: r.Reasons,
	}
	if r.Launches == 0 { // an earlier version did not say whether launches agree on what is within the tolerance
		res.Allocs.Moved = !r.Allocs.Unsteady && r.Allocs.Baseline != r.Allocs.Candidate
	}
	if r.CPU != nil {
		res.MCPU, res.TCPU, res.LongCPU = *r.CPU, *r.CPU, *r.CPU
	}
	return res
}

// Results are those of all rows.
func (s Summary) Results() []Result {
	var rs []Result
	for _, r := range s.Comparisons {
		rs = append(rs, r.Result())
	}
	return rs
}

// Revise notes in a verdict file which expectations differ from those of an
// earlier measurement of the same study.
func (v *VerdictFile) Revise(earlier Summary) {
	for i := range v.Plan.Comparisons {
		c := &v.Plan.Comparisons[i]
		for _, r := range earlier.Comparisons {
			if len(c.ExpectedBefore) > 0 || r.Benchmark != c.Benchmark || r.Arm != c.Arm || !slices.Equal(r.Cell, c.Cell) {
				continue
			}
			if len(r.Expect) > 0 && !slices.Equal(r.Expect, c.Expect) {
				c.ExpectedBefore = r.Expect
			} else if len(r.ExpectedBefore) > 0 && !slices.Equal(r.ExpectedBefore, c.Expect) {
				c.ExpectedBefore = r.ExpectedBefore
			}
		}
	}
}

// Summarise shortens a verdict file.
func Summarise(v VerdictFile) Summary {
	p := v.Plan
	s := Summary{
		Schema: Schema, Title: p.Title, Spent: v.Spent, Machine: p.Machine, Toolchain: p.Toolchain,
		Provenance: v.Provenance(), Command: p.Command, Comparisons: []SummaryRow{}, Claims: v.Claims,
	}
	if s.Provenance == nil && !p.Dirty { // a revision that was not what ran says nothing
		s.Revision = p.Revision
	}
	if !v.Started.IsZero() {
		s.Measured = v.Started.UTC().Format(time.DateOnly)
	}
	if f := p.Study; f != nil {
		s.Question, s.Source, s.Stale = f.Question, f.Source, f.Prose.Stale(v.Results)
	}
	for i, r := range v.Results {
		row := SummaryRow{
			Benchmark: r.Benchmark, Arm: r.Arm, Baseline: r.Baseline, Cell: r.Cell, Verdict: r.Verdict, Time: r.Time,
			Effect: r.Deciding.Effect, Lo: r.Deciding.Lo, Hi: r.Deciding.Hi, Estimator: r.Estimator, Bytes: r.Bytes, Allocs: r.Allocs,
			Metrics: r.Metrics, Launches: r.Deciding.Launches, Expect: r.Expect,
		}
		switch r.Verdict {
		case Invalid, Unsafe, NotMeasured:
			row.Reasons = r.Reasons[:min(1, len(r.Reasons))]
		}
		if cpu := r.CPU(); cpu.Launches > 0 {
			row.CPU = &cpu
		}
		if i < len(p.Comparisons) {
			row.ExpectedBefore = p.Comparisons[i].ExpectedBefore
		}
		s.Comparisons = append(s.Comparisons, row)
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

// ReadSummary reads RESULT.json, as [ReadPlan] reads a plan. ok is false if there
// is none.
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
