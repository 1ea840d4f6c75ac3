package words

import (
	"fmt"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/history"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// HistoryName is a benchmark of a history with its cell.
func HistoryName(l history.Line) string {
	name := l.Benchmark
	if len(l.Cell) > 0 {
		name += " (" + strings.Join(l.Cell, " ") + ")"
	}
	return name
}

// ChainedWords is the effect from the beginning of a chain of revisions; a dash where there is none.
func ChainedWords(p history.Point) string {
	return interval(p.Chained)
}

// SinceWords names the revision at which a benchmark changed last; "" where it has not changed.
func SinceWords(l history.Line) string {
	if l.Since == nil {
		return ""
	}
	how := ""
	if c := l.Since.Time; c != l.Now {
		how = ", by the sum of steps that are too small to be seen"
	}
	word := "slower"
	if l.Now == study.Better {
		word = "faster"
	}
	return fmt.Sprintf("%s since %s (%s)%s", word, history.Short(l.Since.Head), l.Since.When.UTC().Format("2006-01-02"), how)
}

// HistoryStatus says what a history holds.
func HistoryStatus(h history.History) string {
	s := fmt.Sprintf("%s of %s", Plural(h.Runs, "run", "runs"), Plural(len(h.Lines), "benchmark", "benchmarks"))
	worse := 0
	for _, l := range h.Lines {
		if l.Now == study.Worse {
			worse++
		}
	}
	if worse > 0 {
		s += fmt.Sprintf(", %d of them slower than at the beginning", worse)
	}
	if len(h.Machines) > 1 {
		s += fmt.Sprintf("; measured on %d kinds of machine, whose effects need not be the same", len(h.Machines))
	}
	if len(h.Refused) > 0 {
		s += fmt.Sprintf("; %s not used", Plural(len(h.Refused), "file", "files"))
	}
	return s
}
