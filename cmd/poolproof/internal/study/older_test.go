package study

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// old writes text into a file and returns its name.
func old(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "old.json")
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestTheWordsOfTheFirstSchemaAreReadAsTodays(t *testing.T) {
	const comparison = `{"id": "c", "old": {"binary": "test", "leaf": "A"}, "new": {"binary": "test", "leaf": "B"}}`
	p, err := ReadPlan(old(t, `{"schema": 1, "rule": {"slice": "1ms"}, "comparisons": [`+comparison+`]}`))
	want := Plan{
		Schema: 1, Rule: Rule{Burst: 1e6},
		Comparisons: []Comparison{{ID: "c", BaselineBench: Bench{"test", "A"}, CandidateBench: Bench{"test", "B"}}},
	}
	if diff := cmp.Diff(want, p); diff != "" || err != nil {
		t.Errorf("plan: %v (-want +got):\n%s", err, diff)
	}

	v, err := ReadVerdict(old(t, `{"schema": 1, "plan": {"schema": 1, "rule": {"slice": "2ms"}, "comparisons": [`+comparison+`]}, "rule": {"slice": "3ms"},
		"results": [{"old_ns": 5, "new_ns": 6, "bytes": {"old": 9007199254740993, "new": 2}, "allocs": {"old": 3, "new": 4},
			"metrics": [{"unit": "p99", "old": 7, "new": 8, "why": {"code": "said", "because": [{"code": "said", "counter": {"old": 1, "new": 2}}]}}],
			"extra": {"old": [1, 2], "new": [3, 4], "metric": [5, 6]},
			"reasons": [{"code": "said", "counter": {"old": 11, "new": 12}}], "notes": [{"code": "said", "counter": {"old": 13, "new": 14}}]}]}`))
	inner := Counter{Baseline: 1, Candidate: 2}
	wantVerdict := VerdictFile{
		Schema: 1, Plan: want, Rule: &Rule{Burst: 3e6},
		Results: []Result{{
			BaselineTime: 5, CandidateTime: 6, Bytes: Counter{Baseline: 9007199254740993, Candidate: 2}, Allocs: Counter{Baseline: 3, Candidate: 4},
			Metrics: []MetricResult{{Unit: "p99", Baseline: 7, Candidate: 8, Why: &Reason{Code: ReasonSaid, Because: []Reason{{Code: ReasonSaid, Counter: &inner}}}}},
			Extra:   map[string][2]float64{"old": {1, 2}, "new": {3, 4}, "metric": {5, 6}}, // names of the user's own
			Reasons: []Reason{{Code: ReasonSaid, Counter: &Counter{Baseline: 11, Candidate: 12}}},
			Notes:   []Reason{{Code: ReasonSaid, Counter: &Counter{Baseline: 13, Candidate: 14}}},
		}},
	}
	wantVerdict.Plan.Rule = Rule{Burst: 2e6}
	if diff := cmp.Diff(wantVerdict, v); diff != "" || err != nil {
		t.Errorf("verdict file: %v (-want +got):\n%s", err, diff)
	}

	s, ok, err := ReadSummary(old(t, `{"schema": 1, "comparisons": [{"benchmark": "b", "metric": "T wall", "bytes": {"old": 1, "new": 2}, "allocs": {"old": 3, "new": 4},
		"metrics": [{"unit": "x", "old": 5, "new": 6}]}]}`))
	wantSummary := Summary{Schema: 1, Comparisons: []SummaryRow{{
		Benchmark: "b", Estimator: Estimator{Total, Wall}, Bytes: Counter{Baseline: 1, Candidate: 2}, Allocs: Counter{Baseline: 3, Candidate: 4},
		Metrics: []MetricResult{{Unit: "x", Baseline: 5, Candidate: 6}},
	}}}
	if diff := cmp.Diff(wantSummary, s); diff != "" || err != nil || !ok {
		t.Errorf("summary: %v (-want +got):\n%s", err, diff)
	}

	one := func(lines ...string) string { return strings.Join(lines, "\n") + "\n" }
	rs, _, err := ReadRecords(strings.NewReader(one(
		`{"schema": 1, "plan": "p", "form": "slices", "status": "ok", "n": 1, "new_first": [true], "go_new": "go1.25", "old": {"wall": [1], "allocs": [2], "bytes": [3]}, "new": {"wall": [4], "allocs": [18446744073709551615], "bytes": [6], "extra": {"old": 1}}}`,
		`{"schema": 1, "form": "long", "status": "failed", "failed_side": "new"}`,
		`{"schema": 1, "form": "pairs", "status": "failed", "failed_side": "old"}`)), "x")
	wantRecords := []Record{
		{
			Schema: Schema, Plan: "p", Form: FormBursts, Status: StatusOK, N: 1, CandidateFirst: []bool{true}, GoCandidate: "go1.25",
			Baseline:  Columns{Wall: []int64{1}, Allocs: []uint64{2}, Bytes: []uint64{3}},
			Candidate: Columns{Wall: []int64{4}, Allocs: []uint64{1<<64 - 1}, Bytes: []uint64{6}, Extra: map[string]float64{"old": 1}},
		},
		{Schema: Schema, Form: FormLong, Status: StatusFailed, FailedSide: "candidate"},
		{Schema: Schema, Form: FormPairs, Status: StatusFailed, FailedSide: "baseline"},
	}
	if diff := cmp.Diff(wantRecords, rs); diff != "" || err != nil {
		t.Errorf("records: %v (-want +got):\n%s", err, diff)
	}
}
