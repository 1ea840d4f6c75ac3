package note

import (
	"fmt"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat/rank"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/words"
)

// results writes a table a benchmark, or one of all benchmarks where each has one
// arm.
func (n *note) results() {
	if len(n.rows) == 0 {
		return
	}
	n.heading("Results")
	if words.OneArm(n.v.Plan) {
		n.oneTable()
		return
	}
	n.printf("Each row compares an arm with the baseline. %s\n", n.legend())
	for _, b := range words.BenchmarksOf(n.rows) {
		n.benchmark(b, words.OfBenchmark(n.rows, b))
	}
}

// legend explains the words in the column "by" that occur.
func (n *note) legend() string {
	var metrics []string
	for _, r := range n.rows {
		if r.Timed() {
			metrics = append(metrics, string(r.Estimator.Kind), string(r.Estimator.Clock))
		}
	}
	var parts []string
	for _, m := range []struct{ word, meaning string }{
		{"M", "M is the time between collections"},
		{"T", "T the time with the collections paid"},
		{"long", "long the same from bursts that hold whole collections"},
		{"rate", "rate the time of operations that start at a fixed rate, with the collections paid"},
		{"wall", "wall the clock"},
		{"cpu", "cpu the processor time of all threads"},
	} {
		if slices.Contains(metrics, m.word) {
			parts = append(parts, m.meaning)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Column by: " + strings.Join(parts, ", ") + "."
}

// oneTable is a row a benchmark. What was not measured has a section of its own.
func (n *note) oneTable() {
	_, measured := words.Split(n.rows)
	if len(measured) == 0 {
		n.printf("Nothing was measured.\n")
		return
	}
	n.printf("Each row compares the candidate with the baseline. %s\n", n.legend())
	t := tableOf(measured)
	t.Head = append([]string{"benchmark"}, t.Head...)
	for i, r := range measured {
		t.Cells[i] = append([]string{r.Benchmark}, t.Cells[i]...)
	}
	dropEmpty(&t)
	n.table(t)
	n.paced(measured)
	n.figures(measured)
	n.extra(measured)
}

func (n *note) benchmark(name string, rs []words.Row) {
	n.printf("### %s\n", name)
	if i := slices.IndexFunc(n.study.Benchmarks, func(b study.Benchmark) bool { return b.Name == name }); i >= 0 {
		b := n.study.Benchmarks[i]
		s := "`" + b.Bench + "`"
		if b.Title != "" {
			s += ": " + b.Title
		}
		n.printf("%s\n", words.Clauses([]string{s}))
	}
	if slices.ContainsFunc(rs, func(r words.Row) bool { return r.Isolated }) {
		n.printf("Isolated: the code under study is all that it does, so it never decides alone.\n")
	}
	if words.SeveralCells(rs) {
		n.printf("Verdict and time in each cell:\n")
		n.table(words.Heat(rs))
	}
	t := tableOf(rs)
	dropEmpty(&t)
	n.table(t)
	n.paced(rs)
	n.figures(rs)
	n.extra(rs)
}

// tableOf has a row for each comparison, with all columns.
func tableOf(rs []words.Row) words.Grid {
	perOp := "time/op"
	if slices.ContainsFunc(rs, func(r words.Row) bool { return r.Paced != nil }) {
		perOp = "CPU/op"
	}
	t := words.Grid{Head: []string{"arm", "baseline", "cell", "verdict", perOp, "time", "by", "between collections", "B/op", "allocs/op", "expected"}}
	for _, r := range rs {
		metric, expected := words.Dash, words.Dash
		if r.Timed() {
			metric = r.Estimator.String()
		}
		if len(r.Expect) > 0 {
			expected = words.Alternatives(r.Expect)
		}
		arm, baseline := r.Arm, r.Baseline
		if r.Alone {
			arm, baseline = "", ""
		}
		t.Add(arm, baseline, r.CellName(), string(r.Verdict), r.PerOp(), strings.TrimSuffix(r.Change(), " cpu"), metric, r.Between(), r.BytesPerOp()+r.Changed(r.Bytes), r.AllocsPerOp()+r.Changed(r.Allocs), expected)
	}
	return t
}

// extra lists what the benchmark itself reported.
func (n *note) extra(rs []words.Row) {
	if lines := words.Extra(rs, n.cells); len(lines) > 0 {
		n.printf("Reported by the benchmark:\n\n- %s\n", strings.Join(lines, "\n- "))
	}
}

// alternatives ranks the arms, where there is more than one.
func (n *note) alternatives() {
	if len(n.rows) == 0 || words.OneArm(n.v.Plan) {
		return
	}
	n.heading("Alternatives")
	n.printf("Ranked by verdict over all benchmarks, then by time. Each arm was compared with the baseline, not with the other arms.\n")
	t := words.Grid{Head: []string{"rank", "arm", "baseline", "what it is", "verdict", "time"}}
	placed := 0
	for _, a := range rank.Arms(n.v.Results) {
		place := words.Dash
		if a.Placed() {
			placed++
			place = fmt.Sprint(placed)
		}
		t.Add(place, a.Name, a.Baseline, n.armTitle(a.Name), rankedAs(a), timesOf(a, n.rows))
	}
	dropEmpty(&t)
	n.table(t)
}

func (n *note) armTitle(arm string) string {
	if i := slices.IndexFunc(n.study.Arms, func(a study.Arm) bool { return a.Name == arm }); i >= 0 {
		return n.study.Arms[i].Title
	}
	return ""
}

// rankedAs is the verdict as the ranking prints it.
func rankedAs(a rank.Arm) string {
	if a.Failed > 0 {
		return fmt.Sprintf("fails in %d of %d; else %s", a.Failed, len(a.Results), a.Verdict)
	}
	if a.Isolated {
		return string(a.Verdict) + " (isolated benchmarks only)"
	}
	return string(a.Verdict)
}

// timesOf lists an arm's change of time on each benchmark of all rows, over its cells.
func timesOf(a rank.Arm, all []words.Row) string {
	var parts []string
	for _, b := range words.BenchmarksOf(all) {
		lo, hi, any := 0.0, 0.0, false
		for _, r := range a.Results {
			if x := r.Deciding.Effect; r.Benchmark == b && r.Timed() {
				if !any {
					lo, hi, any = x, x, true
				}
				lo, hi = min(lo, x), max(hi, x)
			}
		}
		switch {
		case !any:
		case lo == hi:
			parts = append(parts, b+" "+words.Percent(lo)+" %")
		default:
			parts = append(parts, b+" "+words.Percent(lo)+" % to "+words.Percent(hi)+" %")
		}
	}
	if len(parts) == 0 {
		return words.Dash
	}
	return strings.Join(parts, "; ")
}

// floor is the table in a note.
func (n *note) floor() {
	if len(n.rows) == 0 {
		return
	}
	n.heading("Results")
	n.printf("Every benchmark was compared with itself, so each effect is noise.\n")
	n.table(words.FloorGrid(n.rows))
}

// paced writes the same for one benchmark of a note.
func (n *note) paced(rs []words.Row) {
	g := words.Paced(rs, n.cells)
	if len(g.Cells) == 0 {
		return
	}
	n.printf("At a fixed rate, the collector's processor time included:\n")
	n.table(g)
	n.told("Late operations", words.Delayed(rs))
}

// figures writes the same for one benchmark of a note, with the titles of the
// figures.
func (n *note) figures(rs []words.Row) {
	g := words.Figures(rs, n.cells)
	if len(g.Cells) == 0 {
		return
	}
	n.printf("Reported by the benchmark and judged:\n")
	n.table(g)
	var titles []string
	for _, m := range n.study.Metrics {
		if m.Title != "" && slices.ContainsFunc(g.Cells, func(row []string) bool { return row[1] == m.Unit }) {
			titles = append(titles, fmt.Sprintf("%s: %s (%s is better)", m.Unit, m.Title, m.Better))
		}
	}
	if len(titles) > 0 {
		n.printf("%s\n", words.Clauses(titles))
	}
}
