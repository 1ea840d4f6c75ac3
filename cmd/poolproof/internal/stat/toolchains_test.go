package stat

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Arms in modules of their own may be built by toolchains of their own.
func TestBothSidesAreRecordedWithTheToolchainsOfThePlan(t *testing.T) {
	plan := study.Plan{
		Schema: study.Schema, Engine: study.EngineDuet, Toolchain: "go1.26.8 linux/amd64", Rule: DefaultRule(),
		Binaries: []study.Binary{{ID: "test"}, {ID: "test@old", Toolchain: "go1.25.1 linux/amd64"}},
		Comparisons: []study.Comparison{
			{ID: "one", BaselineBench: study.Bench{Binary: "test"}, CandidateBench: study.Bench{Binary: "test"}},
			{ID: "two", BaselineBench: study.Bench{Binary: "test"}, CandidateBench: study.Bench{Binary: "test@old"}},
			{ID: "old", BaselineBench: study.Bench{Binary: "test@old"}, CandidateBench: study.Bench{Binary: "test@old"}},
		},
	}
	for _, tt := range []struct {
		name, comparison, old, new string
		status                     study.Status
		want                       string // part of the error
	}{
		{"both with the plan's", "one", "go1.26.8", "", study.StatusOK, ""},
		{"both with the old one", "old", "go1.25.1", "", study.StatusOK, ""},
		{"each with its own", "two", "go1.26.8", "go1.25.1", study.StatusOK, ""},
		{"both with one, where they should differ", "two", "go1.26.8", "", study.StatusOK, `the candidate was recorded with "go1.26.8", the plan is for "go1.25.1"`},
		{"they differ, where they should not", "one", "go1.26.8", "go1.25.1", study.StatusOK, `the candidate was recorded with "go1.25.1", the plan is for "go1.26.8"`},
		{"swapped", "two", "go1.25.1", "go1.26.8", study.StatusOK, `recorded with "go1.25.1", the plan is for "go1.26.8"`},
		{"a launch that died before the arm said", "two", "go1.26.8", "", study.StatusCrashed, ""},
		{"a launch that died before anybody said", "two", "", "", study.StatusCrashed, ""},
		{"a launch that died with another arm", "two", "go1.26.8", "go1.24.6", study.StatusCrashed, `the candidate was recorded with "go1.24.6", the plan is for "go1.25.1"`},
		{"a launch that died with another", "two", "go1.24.6", "", study.StatusCrashed, `recorded with "go1.24.6", the plan is for "go1.26.8"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := study.Record{
				Schema: study.Schema, Plan: plan.Digest(), Comparison: tt.comparison, Form: study.FormBursts, Status: tt.status, Go: tt.old, GoCandidate: tt.new, N: 1,
				Baseline: study.Columns{Wall: []int64{1}, Allocs: []uint64{0}, Bytes: []uint64{0}}, Candidate: study.Columns{Wall: []int64{1}, Allocs: []uint64{0}, Bytes: []uint64{0}},
				CandidateFirst: []bool{true},
			}
			_, err := JudgeOne(plan, tt.comparison, []study.Record{r})
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
