package report

import "github.com/poolproof/poolproof/cmd/poolproof/internal/study"

// failed lists the benchmarks that fail, each with what it said: those of the
// comparisons, and those that belong to none.
func failed(v study.VerdictFile, rs []row) remarks {
	var out remarks
	cells := severalCells(rs)
	for _, r := range rs {
		if r.Failed != nil {
			out.add(r.name(cells), clauses([]string{r.Failed.String()}), nil)
		}
	}
	for _, f := range v.Plan.Failed {
		out.add(f.Benchmark, clauses([]string{f.Text}), nil)
	}
	return out
}

// failing counts the rows with a side that fails.
func failing(rs []row) int {
	n := 0
	for _, r := range rs {
		if r.Failed != nil {
			n++
		}
	}
	return n
}
