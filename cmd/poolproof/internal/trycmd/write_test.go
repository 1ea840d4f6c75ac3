package trycmd

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestWhatIsNotWritten(t *testing.T) {
	listed := study.ListedVariant{Site: "x.go:7", Evidence: "semantics", Apply: "git apply x.diff"}
	observed, unchecked := listed, listed
	answer := func(listed study.ListedVariant, v study.Verdict, isolated bool) study.VariantAnswer {
		return study.VariantAnswer{ListedVariant: listed, Verdict: v, Isolated: isolated}
	}
	observed.Evidence, unchecked.Left = "observed", []string{"race"}
	for _, test := range []struct {
		a    study.VariantAnswer
		want string
	}{
		{answer(listed, study.Positive, false), ""},
		{answer(listed, study.TradeOff, false), "for you to weigh; to write it: git apply x.diff"},
		{answer(listed, study.Positive, true), "only isolated"},
		{answer(observed, study.Positive, false), "was seen, and not proved; to write it: git apply x.diff"},
		{answer(unchecked, study.Positive, false), "no time for race; to have that checked: poolproof try -write -site x.go:7 ./p"},
	} {
		if got := stays(test.a, "./p"); got == "" != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
