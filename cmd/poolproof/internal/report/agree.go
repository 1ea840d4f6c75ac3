package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Disagreements lists where a note says otherwise than the committed result and the
// study file beside it: a verdict or a figure of a row, a row that only one of them
// has, the number of decided comparisons, the day of the measurement, and the parts
// that are made of them. What a result does not keep, such as times in nanoseconds,
// is not compared.
func Disagreements(note string, file study.File, s study.Summary) []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	rs := summaryRows(study.File{}, s.Comparisons)
	if want := decidedWords(rs); decidedForm.FindString(note) != "Status: "+want {
		say("the status is not %q", want)
	}
	if want := s.Measured + " (measured)"; s.Measured != "" && !strings.Contains(note, want) {
		say("the note has no %q", want)
	}
	kept := slices.ContainsFunc(s.Comparisons, func(c study.SummaryRow) bool { return len(c.Expect) > 0 }) // an earlier version did not
	seen := map[string]bool{}
	for _, got := range noteRows(note) {
		name := strings.TrimSpace(got["benchmark"] + " " + got["arm"] + " " + got["cell"])
		i := slices.IndexFunc(rs, func(r row) bool {
			return r.Benchmark == got["benchmark"] && r.Arm == got["arm"] && (r.cell() == got["cell"] || got["cell"] == dash && r.cell() == "")
		})
		if i < 0 {
			say("the note has a row %s, the result has none", name)
			continue
		}
		seen[name] = true
		for _, want := range rowWords(rs[i], s.Comparisons[i].Expect) {
			if want.column == "expected" && !kept {
				continue
			}
			if text, ok := got[want.column]; ok && text != cellText(want.text) {
				say("%s: the note's %s is %q, the result's %q", name, want.column, text, want.text)
			}
		}
	}
	for _, r := range rs {
		if name := strings.TrimSpace(r.Benchmark + " " + r.Arm + " " + r.cell()); !seen[name] {
			say("the result has a row %s, the note has none", name)
		}
	}
	return append(out, partsOf(note, file, s)...)
}

// decidedWords is how a note's status begins. An INVALID comparison decides
// nothing: it says that the experiment does not ask the question.
func decidedWords(rs []row) string {
	open, invalid := 0, 0
	for _, r := range rs {
		switch r.Verdict {
		case study.Inconclusive, study.NotMeasured:
			open++
		case study.Invalid:
			invalid++
		}
	}
	words := fmt.Sprintf("%d of %s decided", len(rs)-open-invalid, plural(len(rs), "comparison", "comparisons"))
	if invalid > 0 {
		words += fmt.Sprintf(", %d INVALID", invalid)
	}
	return words
}

// decidedForm is what decidedWords writes into a note.
var decidedForm = regexp.MustCompile(`(?m)^Status: \d+ of \d+ comparisons? decided(?:, \d+ INVALID)?`)

// UpdateStatus replaces the number of decided comparisons in a note by that of its
// result.
func UpdateStatus(note string, s study.Summary) string {
	return decidedForm.ReplaceAllLiteralString(note, "Status: "+decidedWords(summaryRows(study.File{}, s.Comparisons)))
}

// words are what a column of a note's table must hold.
type words struct{ column, text string }

// rowWords are the columns of the results that a committed result keeps.
func rowWords(r row, expect []study.Verdict) []words {
	by, expected := dash, dash
	if r.timed() {
		by = r.Estimator.String()
	}
	if len(expect) > 0 {
		expected = alternatives(expect)
	}
	return []words{
		{"baseline", r.Baseline},
		{"verdict", string(r.Verdict)},
		{"time", interval2(r)},
		{"by", by},
		{"B/op", r.bytes() + r.changed(r.Bytes)},
		{"allocs/op", r.allocs() + r.changed(r.Allocs)},
		{"expected", expected},
	}
}

// noteRows are the rows of the results in a note: each by the heads of its
// columns, with the benchmark, and with an empty cell where the table has no
// such column.
func noteRows(note string) []map[string]string {
	_, results, _ := strings.Cut(note, "\n## Results\n")
	results, _, _ = strings.Cut(results, "\n## ")
	var out []map[string]string
	for section := range strings.SplitSeq(results, "\n### ") {
		benchmark, text, _ := strings.Cut(section, "\n")
		var head []string
		baseline := ""
		for line := range strings.Lines(text) {
			cells := tableCells(strings.TrimSpace(line))
			switch {
			case len(cells) == 0:
				head = nil
			case head == nil && (cells[0] == "arm" || strings.HasPrefix(cells[0], "arm against ")) && slices.Contains(cells, "verdict"):
				baseline = strings.TrimPrefix(cells[0], "arm against ")
				head = cells
				head[0] = "arm"
			case head != nil && len(cells) == len(head) && !strings.HasPrefix(cells[0], "---"):
				row := map[string]string{"benchmark": benchmark, "cell": ""}
				if baseline != "arm" {
					row["baseline"] = baseline
				}
				for i, name := range head {
					row[name] = cells[i]
				}
				out = append(out, row)
			}
		}
	}
	return out
}

// tableCells splits a line of a table, as cellText writes it; nil for other lines.
func tableCells(line string) []string {
	if !strings.HasPrefix(line, "|") || !strings.HasSuffix(line, "|") {
		return nil
	}
	const escaped = "\x00"
	cells := strings.Split(strings.Trim(strings.ReplaceAll(line, `\|`, escaped), "|"), "|")
	for i := range cells {
		cells[i] = strings.ReplaceAll(strings.TrimSpace(cells[i]), escaped, `\|`)
	}
	return cells
}
