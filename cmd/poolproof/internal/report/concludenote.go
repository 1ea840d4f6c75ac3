package report

import (
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Marks around the conclusion of a note, so that it can be brought up to date.
const (
	conclusionBegin = "<!-- conclusion -->"
	conclusionEnd   = "<!-- end of conclusion -->"
)

// conclusion writes what a note begins with.
func (n *note) conclusion() {
	if n.v.Plan.Kind == study.KindAA {
		return
	}
	file := n.study
	if n.v.Plan.Study == nil {
		for _, c := range n.v.Plan.Comparisons {
			file.Benchmarks = append(file.Benchmarks, study.Benchmark{Name: c.Benchmark, Isolated: c.Isolated})
		}
	}
	if text := Conclude(file, study.Summarise(n.v)); text != "" {
		n.printf("%s", conclusionSection(text))
	}
}

func conclusionSection(text string) string {
	return conclusionBegin + "\n\n" + text + "\n\n" + conclusionEnd + "\n"
}

// UpdateConclusion replaces the conclusion with which a note begins, or puts them
// below the title of a note that has none.
func UpdateConclusion(note, text string) string {
	if text == "" {
		return note
	}
	section := conclusionSection(text)
	if from := strings.Index(note, conclusionBegin); from >= 0 {
		if length := strings.Index(note[from:], conclusionEnd); length >= 0 {
			return note[:from] + strings.TrimSuffix(section, "\n") + note[from+length+len(conclusionEnd):]
		}
	}
	if title, rest, ok := strings.Cut(note, "\n\n"); ok && strings.HasPrefix(title, "# ") {
		return title + "\n\n" + section + "\n" + rest
	}
	return note
}
