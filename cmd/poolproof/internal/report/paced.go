package report

import (
	"fmt"
	"strings"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// paced has a row for each comparison at a fixed rate: what both sides took.
// Wall time is not in it, for the rate gives that.
func paced(rs []row, cells bool) grid {
	g := grid{head: []string{"comparison", "rate", "CPU/op", "B/s", "allocs/s", "GCs/min", "pause ms/min"}}
	for _, r := range rs {
		p := r.Paced
		if p == nil || !r.Timed() {
			continue
		}
		g.add(r.name(cells), fmt.Sprintf("%d/s", p.Rate), times(p.CPU[0], p.CPU[1]), both(p.Bytes), both(p.Allocs), both(p.Cycles), both(p.Pause))
	}
	return g
}

func both(x [2]float64) string { return count(x[0]) + " -> " + count(x[1]) }

// late is the mean delay of an operation's start beyond which a reader is
// told: a timer that wakes on time is some tenths of a millisecond late.
const late = time.Millisecond

// delayed lists the comparisons whose operations could not start on time.
func delayed(rs []row) remarks {
	var out remarks
	for _, r := range rs {
		if r.Paced == nil || !r.Timed() {
			continue
		}
		for side, name := range [2]string{r.Baseline, r.Arm} {
			d := time.Duration(r.Paced.Late[side])
			period := r.Paced.Pace.Period()
			switch {
			case d > period:
				out.add(r.name(severalCells(rs)), fmt.Sprintf("operations of %s start %s late on average, more than the %s between two: the rate was not kept.", name, duration(study.Duration(d)), duration(study.Duration(period))), nil)
			case d > late:
				out.add(r.name(severalCells(rs)), fmt.Sprintf("operations of %s start %s late on average.", name, duration(study.Duration(d))), nil)
			}
		}
	}
	return out
}

// paced writes what comparisons at a fixed rate took.
func (t *text) paced(rs []row) {
	g := paced(rs, severalCells(rs))
	if len(g.cells) == 0 {
		return
	}
	for col := 2; col < len(g.head); col++ {
		g.alignAt(col, " -> ")
	}
	t.line("")
	t.line("At a fixed rate, the collector's processor time included")
	if t.columns <= 0 || g.width()+2 <= t.columns {
		for _, l := range g.lines() {
			t.line("  " + l)
		}
	} else {
		for _, row := range g.cells {
			var parts []string
			for i, cell := range row[1:] {
				parts = append(parts, g.head[i+1]+" "+strings.Join(strings.Fields(cell), " "))
			}
			t.item(row[0] + ": " + strings.Join(parts, ", "))
		}
	}
	t.section("Late operations", delayed(rs))
}

// paced writes the same for one benchmark of a note.
func (n *note) paced(rs []row) {
	g := paced(rs, n.cells)
	if len(g.cells) == 0 {
		return
	}
	n.printf("At a fixed rate, the collector's processor time included:\n")
	n.printf("%s", mdTable(g).String())
	if remarks := delayed(rs); len(remarks) > 0 {
		n.printf("Late operations:\n")
		n.remarks(remarks)
	}
}
