package note

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

func TestExpectationsAreCountedByWhatCouldBeChecked(t *testing.T) {
	yes, no := true, false
	want := []study.Verdict{study.Positive}
	for _, tt := range []struct {
		name    string
		results []study.Result
		want    string
	}{
		{"nothing was expected", []study.Result{{}, {}}, ""},
		{"nothing could be checked", []study.Result{{Expect: want}, {}}, "Of 1 expected verdict 1 is open."},
		{"what could be checked holds", []study.Result{{Expect: want, AsExpected: &yes}, {Expect: want}},
			"Of 2 expected verdicts 1 holds, 1 is open."},
		{"one does not hold", []study.Result{{Expect: want, AsExpected: &yes}, {Benchmark: "b", Arm: "a", Verdict: study.Negative, Expect: want, AsExpected: &no}},
			"Of 2 expected verdicts 1 holds, 1 does not.\n\nNot as expected:\n\n- **b a**: NEGATIVE, expected POSITIVE."},
		{"not measured is said", []study.Result{{Expect: want, Verdict: study.NotMeasured}, {Expect: want, Verdict: study.NotMeasured}},
			"Of 2 expected verdicts 2 are not measured."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n := note{rows: words.Rows(study.VerdictFile{Results: tt.results})}
			n.expectations()
			if got := strings.TrimSpace(n.String()); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
