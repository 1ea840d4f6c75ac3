package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// partsOf lists the parts of a note, beside the rows of its results, that a
// committed result determines, and that the note does not have: what the summary
// says of each benchmark, the count of the expectations that hold, the tables of
// cells and of reported figures, the ranking, and the texts of the study file.
func partsOf(note string, file study.File, s study.Summary) []string {
	n := resultNote(file, s)
	var out []string
	want := func(what, text string) {
		if text = strings.TrimSpace(text); text != "" && !strings.Contains(note, text) {
			out = append(out, fmt.Sprintf("%s is not %q", what, firstLine(text)))
		}
	}
	for _, b := range n.benchmarks() {
		of := ofBenchmark(n.rows, b)
		want("the summary of "+b, n.bullet(b, of))
		if severalCells(of) {
			want("the table of cells of "+b, mdTable(heat(of)).String())
		}
		if g := figures(of, n.cells); len(g.cells) > 0 {
			want("the table of reported figures of "+b, mdTable(g).String())
		}
	}
	if held := holding(n.rows); held.asked > 0 {
		want("the count of expectations", held.String())
	}
	hypothesis := ""
	if file.Hypothesis != "" {
		hypothesis = clauses([]string{file.Hypothesis})
	}
	for _, p := range []struct{ what, text string }{
		{"its title", "# " + file.Title}, {"its question", file.Question}, {"its goal", section("Goal", file.Prose.Goal)}, {"its why", section("Why", file.Prose.Why)},
		{"its recommendations", section("Recommendations", file.Prose.Recommendations)}, {"its own conclusion", section("Conclusion", file.Prose.Conclusion)},
		{"its source", file.Source}, {"its hypothesis", hypothesis},
	} {
		want(p.what, p.text)
	}
	return append(out, rankedAs(n.rows, note)...)
}

// resultNote is the note that a committed result determines, as far as it does.
func resultNote(file study.File, s study.Summary) note {
	n := note{study: file, rows: summaryRows(file, s.Comparisons)}
	for i, c := range s.Comparisons {
		n.rows[i].Expect = c.Expect
		if len(c.Expect) > 0 {
			as := slices.Contains(c.Expect, c.Verdict)
			n.rows[i].AsExpected = &as
		}
	}
	n.cells = len(n.rows) > 0 && severalCells(n.rows)
	return n
}

// rankedAs lists the arms whose place, verdict or time in the ranking of a note
// are not those of the result. What an arm is may be younger there.
func rankedAs(rows []row, text string) []string {
	_, section, _ := strings.Cut(text, "\n## Alternatives\n")
	section, _, _ = strings.Cut(section, "\n## ")
	got := tableRows(section)
	rank := 0
	var out []string
	for _, a := range ranked(rows) {
		place := dash
		if a.takesPart() {
			rank++
			place = fmt.Sprint(rank)
		}
		i := slices.IndexFunc(got, func(row map[string]string) bool {
			return row["arm"] == cellText(a.arm) && (row["baseline"] == "" || row["baseline"] == cellText(a.baseline))
		})
		if i < 0 {
			out = append(out, fmt.Sprintf("the ranking has no arm %q", a.arm))
			continue
		}
		for _, w := range []words{{"rank", place}, {"verdict", a.words()}, {"time", timesOf(a, rows)}} {
			if have, ok := got[i][w.column]; ok && have != cellText(w.text) {
				out = append(out, fmt.Sprintf("the %s of %q in the ranking is %q, the result's %q", w.column, a.arm, have, w.text))
			}
		}
	}
	return out
}

// tableRows are the rows of the tables in a text, by the heads of their columns. A
// head "arm against make" is "arm".
func tableRows(text string) []map[string]string {
	var out []map[string]string
	var head []string
	for line := range strings.Lines(text) {
		cells := tableCells(strings.TrimSpace(line))
		switch {
		case len(cells) == 0:
			head = nil
		case head == nil:
			head = cells
			for i, c := range head {
				if strings.HasPrefix(c, "arm against ") {
					head[i] = "arm"
				}
			}
		case len(cells) == len(head) && !strings.HasPrefix(cells[0], "---"):
			row := map[string]string{}
			for i, name := range head {
				row[name] = cells[i]
			}
			out = append(out, row)
		}
	}
	return out
}

// section is a text of the study file below its heading; "" if there is none.
func section(heading, text string) string {
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return "## " + heading + "\n\n" + text
}

// firstLine is the first line of a text, below its heading if it has one.
func firstLine(s string) string {
	if _, body, ok := strings.Cut(s, "\n\n"); ok && strings.HasPrefix(s, "## ") {
		s = body
	}
	line, _, _ := strings.Cut(s, "\n")
	return line
}
