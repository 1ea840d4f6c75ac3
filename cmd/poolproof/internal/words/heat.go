package words

import (
	"cmp"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// Heats are the tables of a matrix: one a benchmark that was compared in
// several cells, arms by cells.
func Heats(rs []Row) (benchmarks []string, grids []Grid) {
	for _, name := range BenchmarksOf(rs) {
		of := OfBenchmark(rs, name)
		if SeveralCells(of) {
			benchmarks, grids = append(benchmarks, name), append(grids, Heat(of))
		}
	}
	return benchmarks, grids
}

// Heat has a row an arm and a column a cell of one benchmark: the verdict and
// the change of time.
func Heat(rs []Row) Grid {
	var arms, cells []string
	for _, r := range rs {
		arms, cells = append(arms, r.Arm), append(cells, r.CellName())
	}
	arms, cells = Unique(arms), Unique(cells)
	g := Grid{Head: []string{"arm"}}
	for _, c := range cells {
		c = cmp.Or(c, "as it is")
		g.Head = append(g.Head, c)
	}
	for _, arm := range arms {
		line := []string{arm}
		for _, c := range cells {
			text := Dash
			if i := slices.IndexFunc(rs, func(r Row) bool { return r.Arm == arm && r.CellName() == c }); i >= 0 {
				text = rs[i].warmth()
			}
			line = append(line, text)
		}
		g.Add(line...)
	}
	return g
}

// warmth is a comparison in one cell of a table.
func (r Row) warmth() string {
	switch {
	case r.Verdict == study.NotMeasured:
		return Dash
	case !r.Timed(), r.Verdict == study.Inconclusive && r.Deciding.Launches < 2: // no interval yet
		return string(r.Verdict)
	}
	return string(r.Verdict) + " " + Percent(r.Deciding.Effect) + " %"
}

// Transposed swaps rows and columns.
func (g Grid) Transposed() Grid {
	all := append([][]string{g.Head}, g.Cells...)
	out := Grid{}
	for col := range g.Head {
		line := make([]string, len(all))
		for i, row := range all {
			line[i] = row[col]
		}
		if col == 0 {
			line[0] = "cell"
			out.Head = line
			continue
		}
		out.Add(line...)
	}
	return out
}

// BenchmarksOf lists the names of benchmarks in the order of the rows.
func BenchmarksOf(rs []Row) []string {
	var names []string
	for _, r := range rs {
		names = append(names, r.Benchmark)
	}
	return Unique(names)
}

// OfBenchmark leaves the rows of one benchmark.
func OfBenchmark(rs []Row, name string) []Row {
	return slices.DeleteFunc(slices.Clone(rs), func(r Row) bool { return r.Benchmark != name })
}
