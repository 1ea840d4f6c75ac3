package words_test

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/note"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
)

func TestARunJudgedByAnotherRuleThanItWasMeasuredForSaysSo(t *testing.T) {
	v := study.VerdictFile{Judged: 3, Plan: study.Plan{Kind: study.KindVary, Rule: study.Rule{Version: 1}}}
	var table, md strings.Builder
	if err := term.Table(&table, v, 200); err != nil {
		t.Fatal(err)
	}
	if err := note.Write(&md, v, note.Versions{}); err != nil {
		t.Fatal(err)
	}
	for _, got := range []string{table.String(), md.String()} {
		if !strings.Contains(got, "Version 3 of the rule judged this; it was measured for version 1") {
			t.Errorf("not said:\n%s", got)
		}
	}
}
