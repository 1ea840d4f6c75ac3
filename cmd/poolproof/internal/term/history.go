package term

import (
	"io"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/history"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// History writes each benchmark of a history with its comparisons, oldest first.
func History(w io.Writer, h history.History) error {
	var t text
	t.line(words.HistoryStatus(h))
	pkg := ""
	for _, l := range h.Lines {
		t.line("")
		if l.Package != pkg {
			pkg = l.Package
			t.line(pkg)
		}
		title := words.HistoryName(l)
		if since := words.SinceWords(l); since != "" {
			title += ": " + since
		}
		t.line(title)
		g := words.Grid{Head: []string{"measured", "base", "head", "verdict", "time", "chained", "since", "B/op", "allocs/op"}}
		for _, p := range l.Points {
			row := words.Row{Result: p.Result, Alone: true}
			g.Add(p.When.UTC().Format("2006-01-02 15:04"), history.Short(p.Base), history.Short(p.Head), string(p.Verdict), row.Change(), words.ChainedWords(p), history.Short(p.Root), row.BytesPerOp(), row.AllocsPerOp())
		}
		for _, line := range g.Lines() {
			t.line("  " + line)
		}
	}
	return t.writeTo(w)
}
