package page

import (
	"fmt"
	"io"
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/history"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// History writes the page of a history: each benchmark's course along the revisions, with its
// comparisons behind a click, in one file that needs no other. It holds no script.
func History(w io.Writer, title string, h history.History) error {
	d := historyDocument{Title: title, Status: words.HistoryStatus(h), Refused: h.Refused}
	for _, l := range h.Lines {
		d.Lines = append(d.Lines, lineOf(l))
	}
	return execute(w, "history.html.tmpl", d)
}

type historyDocument struct {
	Title, Status string
	Lines         []historyLine
	Refused       []string
}

type historyLine struct {
	Name, Effect, Since, Now, Kind, Root string
	Zero                                 float64
	Band                                 *bar
	Marks                                []mark
	Points                               []historyPoint
}

// bar is a range of the height of a plot.
type bar struct{ Y, Height float64 }

// mark is one point of a course: its place, and its interval.
type mark struct{ X, Y, Top, Bottom float64 }

type historyPoint struct {
	When, Revisions, Verdict, Kind, Time, Root, Chained, Bytes, Allocs string
}

// Height of a course in pixels, and the room above and below it.
const (
	courseHeight = 56.0
	courseRoom   = 6.0
)

func lineOf(l history.Line) historyLine {
	last := l.Points[len(l.Points)-1]
	out := historyLine{
		Name: words.HistoryName(l), Effect: words.ChainedWords(last), Since: words.SinceWords(l), Now: string(last.Verdict), Kind: kind(last.Verdict),
		Root: history.Short(last.Root),
	}
	scale := math.Log1p(leastScale)
	for _, p := range l.Points {
		if p.Chained.Launches > 0 {
			scale = max(scale, size(p.Chained.Lo), size(p.Chained.Hi))
		}
	}
	at := func(effect float64) float64 {
		x := max(-1, min(1, logOf(effect)/scale))
		return round(courseHeight/2 - x*(courseHeight/2-courseRoom))
	}
	out.Zero = at(0)
	if band := math.Expm1(last.Band); band > 0 {
		top := at(band)
		out.Band = &bar{Y: top, Height: round(at(1/(1+band)-1) - top)}
	}
	for i, p := range l.Points {
		x := round(100 * (float64(i) + 0.5) / float64(len(l.Points)))
		if p.Chained.Launches > 0 {
			out.Marks = append(out.Marks, mark{X: x, Y: at(p.Chained.Effect), Top: at(p.Chained.Hi), Bottom: at(p.Chained.Lo)})
		}
		row := words.Row{Result: p.Result, Alone: true}
		out.Points = append(out.Points, historyPoint{
			When: p.When.UTC().Format("2006-01-02 15:04"), Revisions: fmt.Sprintf("%s → %s", history.Short(p.Base), history.Short(p.Head)),
			Verdict: string(p.Verdict), Kind: kind(p.Verdict), Time: row.Change(), Root: history.Short(p.Root), Chained: words.ChainedWords(p),
			Bytes: row.BytesPerOp(), Allocs: row.AllocsPerOp(),
		})
	}
	return out
}

func round(x float64) float64 { return math.Round(10*x) / 10 }
