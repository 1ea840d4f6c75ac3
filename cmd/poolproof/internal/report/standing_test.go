package report

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

const aCommit = "0123456789abcdef0123456789abcdef01234567"

func TestAResultSaysWhatIsKnownOfItsOrigin(t *testing.T) {
	known := func(change func(*study.Provenance)) *study.Provenance {
		p := &study.Provenance{Revision: aCommit, Rule: 3, Judged: 3, Program: study.Program{Engine: 2}}
		change(p)
		return p
	}
	for _, tt := range []struct {
		name     string
		p        *study.Provenance
		revision string
		want     string
		ok       bool
		index    string
	}{
		{"all known", known(func(*study.Provenance) {}), "", "Measured at revision 0123456789ab without local changes", true, ""},
		{"an old rule", known(func(p *study.Provenance) { p.Judged = 2 }), "", "**Older than the rule**: version 2 of the rule", false, " (rule 2, now 3)"},
		{"measured for an old rule, judged by today's", known(func(p *study.Provenance) { p.Rule = 1 }), "", "judged by version 3", true, ""},
		{"an old engine", known(func(p *study.Provenance) { p.Program.Engine = 1 }), "", "**Older than the engine**", false, " (engine 1, now 2)"},
		{"local changes", known(func(p *study.Provenance) { p.Dirty = true }), "", "**With local changes**", false, " (local changes)"},
		{"no repository", known(func(p *study.Provenance) { p.Revision = "" }), "", "**Without a revision**", false, " (no revision)"},
		{"an earlier version of the program", nil, aCommit, "It names revision 0123456789ab,", false, " (no provenance)"},
		{"an earlier version, dirty", nil, "", "and no revision", false, " (no provenance)"},
	} {
		now := Versions{Rule: 3, Engine: 2}
		text, ok := Standing(tt.p, tt.revision, now)
		if !strings.Contains(text, tt.want) || ok != tt.ok {
			t.Errorf("%s: %q, %v", tt.name, text, ok)
		}
		if got := older(study.Summary{Provenance: tt.p, Revision: tt.revision}, now); got != tt.index {
			t.Errorf("%s: the index says %q, want %q", tt.name, got, tt.index)
		}
	}
}

// TestANoteLearnsThatTheRuleHasChanged goes the way of a note: written, then
// brought up to date when the rule has another version.
func TestANoteLearnsThatTheRuleHasChanged(t *testing.T) {
	v := study.VerdictFile{Judged: 3, Plan: study.Plan{
		Title: "a", Kind: study.KindVary, Revision: aCommit, Program: study.Program{Version: "v1.0.0", SHA256: "cc", Engine: 2}, Rule: study.Rule{Version: 3},
		Binaries: []study.Binary{{ID: "test", SHA256: "aa"}, {ID: "p1", SHA256: "bb", Layout: 1}},
	}}
	var b strings.Builder
	if err := Markdown(&b, v); err != nil {
		t.Fatal(err)
	}
	note := b.String()
	for _, want := range []string{
		"Measured at revision 0123456789ab without local changes", "| SHA-256 of the binaries | test aa; 1 padded build together ",
		"| program | poolproof v1.0.0, SHA-256 cc |", "| versions | engine 2, rule 3 |",
	} {
		if !strings.Contains(note, want) {
			t.Errorf("the note has no %q:\n%s", want, note)
		}
	}
	text, _ := Standing(v.Provenance(), "", Versions{3, 2})
	if UpdateStanding(note, text) != note {
		t.Error("a note that is up to date is changed")
	}
	text, _ = Standing(v.Provenance(), "", Versions{4, 2})
	updated := UpdateStanding(note, text)
	if !strings.Contains(updated, "**Older than the rule**") || strings.Contains(updated, "without local changes in the whole") {
		t.Errorf("the note does not say that the rule changed:\n%s", updated)
	}
	if UpdateStanding(updated, text) != updated {
		t.Error("the second time changes the note again")
	}
	old := "# a\n\nStatus: b\n\n## Goal\n\nc\n"
	if got := UpdateStanding(old, "said"); got != "# a\n\nStatus: b\n\n<!-- provenance -->\n\nsaid\n\n<!-- end of provenance -->\n\n## Goal\n\nc\n" || UpdateStanding(got, "said") != got {
		t.Errorf("a note of an earlier version becomes\n%s", got)
	}
}

func TestARunJudgedByAnotherRuleThanItWasMeasuredForSaysSo(t *testing.T) {
	v := study.VerdictFile{Judged: 3, Plan: study.Plan{Kind: study.KindVary, Rule: study.Rule{Version: 1}}}
	var table, note strings.Builder
	if err := Table(&table, v, 200); err != nil {
		t.Fatal(err)
	}
	if err := Markdown(&note, v); err != nil {
		t.Fatal(err)
	}
	for _, got := range []string{table.String(), note.String()} {
		if !strings.Contains(got, "Version 3 of the rule judged this; it was measured for version 1") {
			t.Errorf("not said:\n%s", got)
		}
	}
}
