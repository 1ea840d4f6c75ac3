package words_test

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

func TestAVariantThatCannotBeBuiltIsNotTheUsersToMend(t *testing.T) {
	a := study.VariantAnswer{ListedVariant: study.ListedVariant{ID: "x.go:3 pool", Evidence: "compiler", Unbuilt: "undefined: x"}, Verdict: study.NotMeasured}
	got := words.VariantNotes([]study.VariantAnswer{a})
	if len(got) != 1 || !strings.HasPrefix(got[0], "x.go:3 pool ") || !strings.Contains(got[0], "has no diff") || !strings.Contains(got[0], "undefined: x") {
		t.Errorf("%q", got)
	}
}
