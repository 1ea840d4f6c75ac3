package report

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestANoteAgreesWithTheResultThatIsCommittedBesideIt(t *testing.T) {
	for name, v := range map[string]study.VerdictFile{"flatmap": load(t, "flatmap"), "cells": load(t, "cells"), "rich": rich()} {
		var b strings.Builder
		if err := Markdown(&b, v); err != nil {
			t.Fatal(err)
		}
		if got := Disagreements(b.String(), fileOf(v), study.Summarise(v)); len(got) > 0 {
			t.Errorf("%s: %s", name, strings.Join(got, "\n"))
		}
	}
}

func TestANoteThatWasChangedIsNoticed(t *testing.T) {
	v := load(t, "flatmap")
	var b strings.Builder
	if err := Markdown(&b, v); err != nil {
		t.Fatal(err)
	}
	rows := noteRows(b.String())
	if len(rows) != len(v.Results) {
		t.Fatalf("%d rows were read of %d:\n%s", len(rows), len(v.Results), b.String())
	}
	changes := map[string]func(*study.Summary){
		"the note's verdict is": func(s *study.Summary) { s.Comparisons[0].Verdict = study.NoChange },
		"the note's time is":    func(s *study.Summary) { s.Comparisons[0].Effect -= 0.001 },
		"the note's by is":      func(s *study.Summary) { s.Comparisons[0].Estimator.Clock = study.CPU },
		"the note's B/op is":    func(s *study.Summary) { s.Comparisons[0].Bytes.Candidate += 100 },
		"the note's allocs/op":  func(s *study.Summary) { s.Comparisons[0].Allocs.Baseline += 100 },
		"the note's expected":   func(s *study.Summary) { s.Comparisons[0].Expect = []study.Verdict{study.Unsafe} },
		"the note's baseline":   func(s *study.Summary) { s.Comparisons[0].Baseline = "other" },
		"the result has none":   func(s *study.Summary) { s.Comparisons = s.Comparisons[1:] },
		"the note has none":     func(s *study.Summary) { s.Comparisons = append(s.Comparisons, study.SummaryRow{Benchmark: "x"}) },
		"(measured)":            func(s *study.Summary) { s.Measured = "2001-01-01" },
		"the status is not":     func(s *study.Summary) { s.Comparisons[0].Verdict = study.Inconclusive },
	}
	for want, change := range changes {
		s := study.Summarise(v)
		change(&s)
		if got := strings.Join(Disagreements(b.String(), fileOf(v), s), "\n"); !strings.Contains(got, want) {
			t.Errorf("%s: not noticed, said %q", want, got)
		}
	}
}

func TestTheStatusOfANoteIsBroughtUpToDate(t *testing.T) {
	s := study.Summary{Comparisons: []study.SummaryRow{{Verdict: study.Positive}, {Verdict: study.Invalid}, {Verdict: study.Inconclusive}, {Verdict: study.Unsafe}}}
	for before, want := range map[string]string{
		"# a\n\nStatus: 4 of 4 comparisons decided\n":                                             "# a\n\nStatus: 2 of 4 comparisons decided, 1 INVALID\n",
		"Status: 1 of 1 comparison decided, 3 INVALID, 1 INCONCLUSIVE; the run was interrupted\n": "Status: 2 of 4 comparisons decided, 1 INVALID, 1 INCONCLUSIVE; the run was interrupted\n",
		"no status": "no status",
	} {
		if got := UpdateStatus(before, s); got != want {
			t.Errorf("%q becomes %q, want %q", before, got, want)
		}
	}
}

// The parts of a note that are made of its result and its study file are compared too.
func TestAPartOfANoteThatWasChangedIsNoticed(t *testing.T) {
	for name, v := range map[string]study.VerdictFile{"flatmap": load(t, "flatmap"), "cells": load(t, "cells"), "rich": rich()} {
		var b strings.Builder
		if err := Markdown(&b, v); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ in, old, new, want string }{
			{"flatmap", "2 POSITIVE, 1 TRADE-OFF", "3 POSITIVE", "the summary of pipeline is not"},
			{"flatmap", "Best: `stack` against `make`, time -19.6", "Best: `stack` against `make`, time -29.6", "the summary of pipeline is not"},
			{"flatmap", "expected verdicts 5 hold", "expected verdicts 6 hold", "the count of expectations is not"},
			{"flatmap", "| pipeline -19.6 %", "| pipeline -39.6 %", "the time of \"stack\" in the ranking is"},
			{"flatmap", "Find out whether a flat mapper", "Find out how a flat mapper", "its goal is not"},
			{"flatmap", "# Result slices of a flat mapper", "# Slices", "its title is not"},
			{"cells", "POSITIVE -33.0 %", "POSITIVE -43.0 %", "the table of cells of Marshal/size=big is not"},
			{"rich", "Reported by the benchmark and judged:\n\n| comparison | metric |", "Reported by the benchmark and judged:\n\n| comparison | unit |", "the table of reported figures of"},
		} {
			if c.in != name {
				continue
			}
			changed := strings.ReplaceAll(b.String(), c.old, c.new)
			if changed == b.String() {
				t.Errorf("%s: the note has no %q", name, c.old)
			} else if got := strings.Join(Disagreements(changed, fileOf(v), study.Summarise(v)), "\n"); !strings.Contains(got, c.want) {
				t.Errorf("%s: %q for %q is not noticed, said %q", name, c.new, c.old, got)
			}
		}
	}
}

func fileOf(v study.VerdictFile) study.File {
	if v.Plan.Study != nil {
		return *v.Plan.Study
	}
	return study.File{}
}
