package words_test

import (
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/note"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/page"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/term"
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

	var wide, narrow, md, planned strings.Builder
	for _, err := range []error{term.Table(&wide, v, 0), term.Table(&narrow, v, 60), note.Write(&md, v, note.Versions{}), term.Plan(&planned, p)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	var html strings.Builder
	if err := page.Write(&html, v, nil); err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]bool{
		`<span class="name">Benchmarka</span>`: true, "<h3>Benchmarka</h3>": false, `against v1</span>`: false, "from the baseline to the candidate": true,
	} {
		if strings.Contains(html.String(), what) != want {
			t.Errorf("the page has %q: %v, want %v", what, !want, want)
		}
	}
	for _, section := range []string{"\n### Benchmarka", "\n## Alternatives"} {
		if strings.Contains(md.String(), section) {
			t.Errorf("the note has %q", section)
		}
	}
	if want := "- **POSITIVE**: Benchmarka"; !strings.Contains(md.String(), want) {
		t.Errorf("no %q in\n%s", want, md.String())
	}
	live := strings.Join(term.Live(p, results, 120, 20), "\n")
	for name, tt := range map[string]struct{ text, row string }{
		"table":        {wide.String(), "Benchmarka  POSITIVE"},
		"narrow table": {narrow.String(), "  POSITIVE"},
		"live table":   {live, "Benchmarka  POSITIVE"},
		"a verdict":    {term.Verdict(p, p.Comparisons[0], results[0], false), "Benchmarka: POSITIVE"},
		"note":         {md.String(), "| Benchmarka | POSITIVE |"},
		"plan":         {planned.String(), "Benchmarkd: not measured: only v1 has it"},
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
