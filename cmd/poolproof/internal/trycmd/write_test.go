package trycmd

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestWhatIsNotWritten(t *testing.T) {
	of := func(memory ...study.Class) (rs []study.Result) {
		for i, m := range memory {
			rs = append(rs, study.Result{Benchmark: "Benchmark" + string(rune('A'+i)), Memory: m})
		}
		return rs
	}
	listed := study.ListedVariant{Site: "x.go:7", Evidence: "semantics", Apply: "git apply x.diff"}
	observed, unchecked := listed, listed
	observed.Evidence, unchecked.Left = "observed", []string{"race"}
	for _, test := range []struct {
		a    study.VariantAnswer
		want string
	}{
		{study.VariantAnswer{ListedVariant: listed, Results: of(study.Better, study.Same)}, ""},
		{study.VariantAnswer{ListedVariant: listed, Results: of(study.Better, study.Worse)}, "it costs memory in BenchmarkB; to write it: git apply x.diff"},
		{study.VariantAnswer{ListedVariant: listed, Isolated: true, Results: of(study.Better)}, "only isolated"},
		{study.VariantAnswer{ListedVariant: observed, Results: of(study.Better)}, "was seen, and not proved; to write it: git apply x.diff"},
		{study.VariantAnswer{ListedVariant: unchecked, Results: of(study.Better)}, "no time for race; to have that checked: poolproof try -write -site x.go:7 ./p"},
	} {
		if got := stays(test.a, "./p"); got == "" != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
