package report

import (
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// heats are the tables of a matrix: one a benchmark that was compared in
// several cells, arms by cells.
func heats(rs []row) (benchmarks []string, grids []grid) {
	for _, name := range benchmarksOf(rs) {
		of := ofBenchmark(rs, name)
		if severalCells(of) {
			benchmarks, grids = append(benchmarks, name), append(grids, heat(of))
		}
	}
	return benchmarks, grids
}

// heat has a row an arm and a column a cell of one benchmark: the verdict and
// the change of time.
func heat(rs []row) grid {
	var arms, cells []string
	for _, r := range rs {
		arms, cells = append(arms, r.Arm), append(cells, r.cell())
	}
	arms, cells = unique(arms), unique(cells)
	g := grid{head: []string{"arm"}}
	for _, c := range cells {
		if c == "" {
			c = "as it is"
		}
		g.head = append(g.head, c)
	}
	for _, arm := range arms {
		line := []string{arm}
		for _, c := range cells {
			text := dash
			if i := slices.IndexFunc(rs, func(r row) bool { return r.Arm == arm && r.cell() == c }); i >= 0 {
				text = rs[i].warmth()
			}
			line = append(line, text)
		}
		g.add(line...)
	}
	return g
}

// warmth is a comparison in one cell of a table.
func (r row) warmth() string {
	switch {
	case r.Verdict == study.NotMeasured:
		return dash
	case !r.Timed():
		return string(r.Verdict)
	case r.Verdict == study.Inconclusive && r.Deciding.Launches < 2: // no interval yet
		return string(r.Verdict)
	}
	return string(r.Verdict) + " " + percent(r.Deciding.Effect) + " %"
}

// transposed swaps rows and columns.
func (g grid) transposed() grid {
	all := append([][]string{g.head}, g.cells...)
	out := grid{}
	for col := range g.head {
		line := make([]string, len(all))
		for i, row := range all {
			line[i] = row[col]
		}
		if col == 0 {
			line[0] = "cell"
			out.head = line
			continue
		}
		out.add(line...)
	}
	return out
}

// heat writes the tables of a matrix, lying or standing, as they fit.
func (t *text) heat(rs []row) {
	names, grids := heats(rs)
	for i, g := range grids {
		t.line("")
		t.line(names[i] + " in each cell: verdict and time")
		if t.columns > 0 && g.width()+2 > t.columns {
			g = g.transposed()
		}
		for _, l := range g.lines() {
			t.line("  " + l)
		}
	}
}

// benchmarksOf lists the names of benchmarks in the order of the rows.
func benchmarksOf(rs []row) []string {
	var names []string
	for _, r := range rs {
		names = append(names, r.Benchmark)
	}
	return unique(names)
}

func ofBenchmark(rs []row, name string) []row {
	return slices.DeleteFunc(slices.Clone(rs), func(r row) bool { return r.Benchmark != name })
}
