package term

import (
	"fmt"
	"io"
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/program"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

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
