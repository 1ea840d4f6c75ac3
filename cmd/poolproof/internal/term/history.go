package term

import (
	"fmt"
	"io"
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/history"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/program"
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

// Program writes what became of a whole program: the verdict, and each metric.
func Program(w io.Writer, f program.File) error {
	var t text
	t.line(f.Title)
	t.line("")
	g := words.Grid{Head: []string{"metric", "base -> head", "change", "class", ""}}
	for _, m := range f.Result.Metrics {
		values, change, class := words.ProgramMetric(m)
		decides := ""
		if m.Decides {
			decides = "decides"
		}
		g.Add(m.Unit, values, change, class, decides)
	}
	t.grid("", g)
	t.line("")
	t.line(fmt.Sprintf("%s, by %s; what differs by less than %.1f %% counts as equal.", f.Result.Verdict, words.Plural(len(f.Launches), "launch", "launches"), 100*math.Expm1(f.Band)))
	if f.Layouts > 1 {
		t.line(fmt.Sprintf("The launches took %d builds of each side in turn, whose functions lie in another order.", f.Layouts))
	}
	return t.writeTo(w)
}
