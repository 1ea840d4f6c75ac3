package words

import (
	"fmt"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Paced has a row for each comparison at a fixed rate: what both sides took.
// Wall time is not in it, for the rate gives that.
func Paced(rs []Row, cells bool) Grid {
	g := Grid{Head: []string{"comparison", "rate", "CPU/op", "B/s", "allocs/s", "GCs/min", "pause ms/min"}}
	for _, r := range rs {
		p := r.Paced
		if p == nil || !r.Timed() {
			continue
		}
		g.Add(r.Name(cells), fmt.Sprintf("%d/s", p.Rate), Times(p.CPU[0], p.CPU[1]), both(p.Bytes), both(p.Allocs), both(p.Cycles), both(p.Pause))
	}
	return g
}

func both(x [2]float64) string { return count(x[0]) + " -> " + count(x[1]) }

// late is the mean delay of an operation's start beyond which a reader is
// told: a timer that wakes on time is some tenths of a millisecond late.
const late = time.Millisecond

// Delayed lists the comparisons whose operations could not start on time.
func Delayed(rs []Row) Remarks {
	var out Remarks
	for _, r := range rs {
		if r.Paced == nil || !r.Timed() {
			continue
		}
		for side, name := range [2]string{r.Baseline, r.Arm} {
			d := time.Duration(r.Paced.Late[side])
			period := r.Paced.Pace.Period()
			switch {
			case d > period:
				out.Add(r.Name(SeveralCells(rs)), fmt.Sprintf("operations of %s start %s late on average, more than the %s between two: the rate was not kept.", name, Duration(study.Duration(d)), Duration(study.Duration(period))), nil)
			case d > late:
				out.Add(r.Name(SeveralCells(rs)), fmt.Sprintf("operations of %s start %s late on average.", name, Duration(study.Duration(d))), nil)
			}
		}
	}
	return out
}
