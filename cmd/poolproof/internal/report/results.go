package report

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/stat/rank"
	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// results writes a table a benchmark, or one of all benchmarks where each has one
// arm.
func (n *note) results() {
	if len(n.rows) == 0 {
		return
	}
	n.heading("Results")
	if oneArm(n.v.Plan) {
		n.oneTable()
		return
	}
	n.printf("Each row compares an arm with the baseline. %s\n", n.legend())
	for _, b := range n.benchmarks() {
		n.benchmark(b, ofBenchmark(n.rows, b))
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
	_, measured := split(n.rows)
	if len(measured) == 0 {
		n.printf("Nothing was measured.\n")
		return
	}
	n.printf("Each row compares the candidate with the baseline. %s\n", n.legend())
	t := tableOf(measured)
	t.head = append([]string{"benchmark"}, t.head...)
	for i, r := range measured {
		t.cells[i] = append([]string{r.Benchmark}, t.cells[i]...)
	}
	t.dropEmpty()
	n.printf("%s", t.String())
	n.paced(measured)
	n.figures(measured)
	n.extra(measured)
}

func (n *note) benchmark(name string, rs []row) {
	n.printf("### %s\n", name)
	if i := slices.IndexFunc(n.study.Benchmarks, func(b study.Benchmark) bool { return b.Name == name }); i >= 0 {
		b := n.study.Benchmarks[i]
		s := "`" + b.Bench + "`"
		if b.Title != "" {
			s += ": " + b.Title
		}
		n.printf("%s\n", clauses([]string{s}))
	}
	if slices.ContainsFunc(rs, func(r row) bool { return r.Isolated }) {
		n.printf("Isolated: the code under study is all that it does, so it never decides alone.\n")
	}
	if severalCells(rs) {
		n.printf("Verdict and time in each cell:\n")
		n.printf("%s", mdTable(heat(rs)).String())
	}
	t := tableOf(rs)
	t.dropEmpty()
	n.printf("%s", t.String())
	n.paced(rs)
	n.figures(rs)
	n.extra(rs)
}

// tableOf has a row for each comparison, with all columns.
func tableOf(rs []row) mdTable {
	perOp := "time/op"
	if slices.ContainsFunc(rs, func(r row) bool { return r.Paced != nil }) {
		perOp = "CPU/op"
	}
	t := mdTable{head: []string{"arm", "baseline", "cell", "verdict", perOp, "time", "by", "between collections", "B/op", "allocs/op", "expected"}}
	for _, r := range rs {
		metric, expected := dash, dash
		if r.Timed() {
			metric = r.Estimator.String()
		}
		if len(r.Expect) > 0 {
			expected = alternatives(r.Expect)
		}
		arm, baseline := r.Arm, r.Baseline
		if r.alone {
			arm, baseline = "", ""
		}
		t.add(arm, baseline, r.cell(), string(r.Verdict), r.time(), interval2(r), metric, r.between(), r.bytes()+r.changed(r.Bytes), r.allocs()+r.changed(r.Allocs), expected)
	}
	return t
}

// interval2 is the change of time; the column "by" names the clock.
func interval2(r row) string { return strings.TrimSuffix(r.effect(), " cpu") }

// changed is the relative change of a counter, in brackets.
func (r row) changed(c study.Counter) string {
	ratio, ok := counterRatio(c)
	if !r.Counted() || c.Equal || !ok {
		return ""
	}
	p := percent(ratio - 1)
	if p == "0.0" {
		return ""
	}
	return " (" + p + " %)"
}

// extra lists what the benchmark itself reported.
func (n *note) extra(rs []row) {
	if lines := extra(rs, n.cells); len(lines) > 0 {
		n.printf("Reported by the benchmark:\n\n- %s\n", strings.Join(lines, "\n- "))
	}
}

// extra lists what the benchmarks reported and the study does not judge.
func extra(rs []row, cells bool) (lines []string) {
	for _, r := range rs {
		if !r.Counted() {
			continue
		}
		for _, unit := range slices.Sorted(maps.Keys(r.Extra)) {
			if r.Timed() && r.judged(unit) {
				continue
			}
			x := r.Extra[unit]
			lines = append(lines, fmt.Sprintf("%s: %s -> %s %s", r.name(cells), small(x[0]), small(x[1]), unit))
		}
	}
	return lines
}

// extra writes the same for a terminal.
func (t *text) extra(rs []row) {
	lines := extra(rs, severalCells(rs))
	if len(lines) == 0 {
		return
	}
	t.line("")
	t.line("Reported by the benchmarks")
	for _, l := range lines {
		t.item(l)
	}
}

// alternatives ranks the arms, where there is more than one.
func (n *note) alternatives() {
	if len(n.rows) == 0 || oneArm(n.v.Plan) {
		return
	}
	n.heading("Alternatives")
	n.printf("Ranked by verdict over all benchmarks, then by time. Each arm was compared with the baseline, not with the other arms.\n")
	t := mdTable{head: []string{"rank", "arm", "baseline", "what it is", "verdict", "time"}}
	placed := 0
	for _, a := range rank.Arms(n.v.Results) {
		place := dash
		if a.Placed() {
			placed++
			place = fmt.Sprint(placed)
		}
		t.add(place, a.Name, a.Baseline, n.armTitle(a.Name), rankedAs(a), timesOf(a, n.rows))
	}
	t.dropEmpty()
	n.printf("%s", t.String())
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
func timesOf(a rank.Arm, all []row) string {
	var parts []string
	for _, b := range benchmarksOf(all) {
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
			parts = append(parts, b+" "+percent(lo)+" %")
		default:
			parts = append(parts, b+" "+percent(lo)+" % to "+percent(hi)+" %")
		}
	}
	if len(parts) == 0 {
		return dash
	}
	return strings.Join(parts, "; ")
}
