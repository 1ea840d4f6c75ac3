package note

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

const aCommit = "0123456789abcdef0123456789abcdef01234567"

func TestAResultSaysWhatIsKnownOfItsOrigin(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*study.VerdictFile)
		want   string
		ok     bool
		index  string
	}{
		{"all known", func(*study.VerdictFile) {}, "Measured at revision 0123456789ab without local changes", true, ""},
		{"an old rule", func(v *study.VerdictFile) { v.Judged = 1 }, "**Older than the rule**: version 1 of the rule gave these verdicts; the rule is version 3 now and may judge 2 of 2 comparisons otherwise", false, " (rule 1, now 3)"},
		{"an old rule, and one of two results may fall", func(v *study.VerdictFile) { v.Judged = 2 }, "may judge 1 of 2 comparisons otherwise", false, " (rule 2, now 3)"},
		{"an old rule that judged alike", func(v *study.VerdictFile) { v.Judged, v.Results = 2, v.Results[:1] }, "by version 2 of the rule, and version 3 judges them alike.", true, ""},
		{"measured for an old rule, judged by today's", func(v *study.VerdictFile) { v.Plan.Rule.Version = 1 }, "judged by version 3", true, ""},
		{"an old engine", func(v *study.VerdictFile) { v.Plan.Program.Engine = 1 }, "**Older than the engine**", false, " (engine 1, now 2)"},
		{"local changes", func(v *study.VerdictFile) { v.Plan.Dirty = true }, "**With local changes**", false, " (local changes)"},
		{"no repository", func(v *study.VerdictFile) { v.Plan.Revision = "" }, "**Without a revision**", false, " (no revision)"},
	} {
		v := study.VerdictFile{Judged: 3, Plan: study.Plan{Revision: aCommit, Rule: study.Rule{Version: 3}, Program: study.Program{Engine: 2}}}
		v.Results = []study.Result{{Verdict: study.Positive}, {Verdict: study.Inconclusive}}
		tt.change(&v)
		now := Versions{Rule: 3, Engine: 2, Stands: func(_ study.Plan, judged int, r study.Result) bool { return judged == 2 && r.Verdict == study.Positive }}
		text, ok := standing(v, now)
		if !strings.Contains(text, tt.want) || ok != tt.ok {
			t.Errorf("%s: %q, %v", tt.name, text, ok)
		}
		if got := older(v, now); got != tt.index {
			t.Errorf("%s: the index says %q, want %q", tt.name, got, tt.index)
		}
	}
}

func TestANoteSaysOfWhatItWasMade(t *testing.T) {
	v := study.VerdictFile{Judged: 3, Results: []study.Result{{}}, Plan: study.Plan{
		Title: "a", Kind: study.KindVary, Revision: aCommit, Program: study.Program{Version: "v1.0.0", SHA256: "cc", Engine: 2}, Rule: study.Rule{Version: 3},
		Binaries: []study.Binary{{ID: "test", SHA256: "aa"}, {ID: "p1", SHA256: "bb", Layout: 1}},
	}}
	for rule, said := range map[int]string{3: "Measured at revision 0123456789ab without local changes", 4: "**Older than the rule**"} {
		var b strings.Builder
		if err := Write(&b, v, Versions{Rule: rule, Engine: 2}); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{said, "| SHA-256 of the binaries | test aa; 1 padded build together ", "| program | poolproof v1.0.0, SHA-256 cc |", "| versions | engine 2, rule 3 |"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("the note has no %q:\n%s", want, b.String())
			}
		}
	}
}
