package words

import (
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Failed lists the benchmarks that fail, each with what it said: those of the
// comparisons, and those that belong to none.
func Failed(v study.VerdictFile, rs []Row) Remarks {
	var out Remarks
	cells := SeveralCells(rs)
	for _, r := range rs {
		if r.Failed != nil {
			out.Add(r.Name(cells), Clauses([]string{r.Failed.String()}), nil)
		}
	}
	for _, f := range v.Plan.Failed {
		out.Add(f.Benchmark, Clauses([]string{f.Text}), nil)
	}
	return out
}

// failing counts the rows with a side that fails.
func failing(rs []Row) int {
	n := 0
	for _, r := range rs {
		if r.Failed != nil {
			n++
		}
	}
	return n
}
