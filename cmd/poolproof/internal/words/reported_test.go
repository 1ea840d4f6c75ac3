package words_test

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
)

func TestATableTellsWhatTheBenchmarksReported(t *testing.T) {
	v := study.VerdictFile{
		Plan: study.Plan{Kind: study.KindVary, Title: "a", Comparisons: []study.Comparison{{ID: "c", Benchmark: "X", Arm: "new", Baseline: "old"}}},
		Results: []study.Result{{Comparison: "c", Benchmark: "X", Arm: "new", Baseline: "old", Verdict: study.Negative, Launches: 4, BaselineTime: 1e-6, CandidateTime: 3e-6,
			Deciding: study.Estimate{Effect: 2, Lo: 1, Hi: 3, Launches: 4}, Extra: map[string][2]float64{"rows/op": {12, 14.5}, "misses/op": {0.004, 0.0031}}}},
	}
	var out strings.Builder
	if err := term.Table(&out, v, 160); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\nReported by the benchmarks\n  X new: 0.004 -> 0.0031 misses/op\n  X new: 12 -> 14.5 rows/op\n",
		"\nNothing timed\n  X new: an operation takes less than a cycle of the processor: ",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it lacks %q:\n%s", want, &out)
		}
	}
}
