package report

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestTwoRevisionsAreNamedByTheTitleAlone(t *testing.T) {
	p, results := liveRun()
	p.Kind, p.Title, p.Engine = study.KindBase, "working tree (aa) against v1 (bb), of m/p", study.EngineDuet
	for i := range results {
		p.Comparisons[i].Arm, p.Comparisons[i].Baseline = "working tree", "v1"
		results[i].Arm, results[i].Baseline = "working tree", "v1"
	}
	p.Comparisons[3].Skipped = "only v1 has it"
	v := study.VerdictFile{Plan: p, Results: results}

	var wide, narrow, note, plan strings.Builder
	for _, err := range []error{Table(&wide, v, 0), Table(&narrow, v, 60), Markdown(&note, v, Versions{}), PlanText(&plan, p)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var page strings.Builder
	if err := HTML(&page, v, nil); err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]bool{
		`<span class="name">Benchmarka</span>`: true, "<h3>Benchmarka</h3>": false, `against v1</span>`: false, "from the baseline to the candidate": true,
	} {
		if strings.Contains(page.String(), what) != want {
			t.Errorf("the page has %q: %v, want %v", what, !want, want)
		}
	}
	for _, section := range []string{"\n### Benchmarka", "\n## Alternatives"} {
		if strings.Contains(note.String(), section) {
			t.Errorf("the note has %q", section)
		}
	}
	if want := "- **POSITIVE**: Benchmarka"; !strings.Contains(note.String(), want) {
		t.Errorf("no %q in\n%s", want, note.String())
	}
	live := strings.Join(Live(p, results, 120, 20), "\n")
	for name, tt := range map[string]struct{ text, row string }{
		"table":        {wide.String(), "Benchmarka  POSITIVE"},
		"narrow table": {narrow.String(), "  POSITIVE"},
		"live table":   {live, "Benchmarka  POSITIVE"},
		"a verdict":    {Verdict(p, p.Comparisons[0], results[0], false), "Benchmarka: POSITIVE"},
		"note":         {note.String(), "| Benchmarka | POSITIVE |"},
		"plan":         {plan.String(), "Benchmarkd: not measured: only v1 has it"},
	} {
		if !strings.Contains(tt.text, tt.row) {
			t.Errorf("%s: no %q in\n%s", name, tt.row, tt.text)
		}
		for line := range strings.Lines(tt.text) {
			row := strings.HasPrefix(line, "Benchmark") || strings.HasPrefix(line, "| ")
			if row && strings.Contains(line, "working tree") {
				t.Errorf("%s: a row names the arm: %s", name, line)
			}
		}
	}
}
