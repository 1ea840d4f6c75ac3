package report

import (
	"fmt"
	"slices"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// figures has a row for each figure that the study judges, on each comparison.
func figures(rs []row, cells bool) grid {
	g := grid{head: []string{"comparison", "metric", "baseline -> arm", "change", "class"}}
	for _, r := range rs {
		if !r.Timed() {
			continue
		}
		for _, m := range r.Metrics {
			values, change := figure(m)
			g.add(r.name(cells), m.Unit, values, change, figureClass(m))
		}
	}
	return g
}

// figure renders both sides and the change.
func figure(m study.MetricResult) (values, change string) {
	switch {
	case m.Why != nil:
		return dash, dash
	case m.Estimate.Launches > 0:
		change = interval(m.Estimate)
	case m.Baseline > 0 && m.Class != study.Same:
		change = percent(m.Candidate/m.Baseline-1) + " %"
	default:
		change = dash
	}
	return small(m.Baseline) + " -> " + small(m.Candidate), change
}

// small is count for figures that may be far below 1.
func small(x float64) string {
	if a := max(x, -x); a > 0 && a < 0.1 {
		return fmt.Sprintf("%.2g", x)
	}
	return count(x)
}

func figureClass(m study.MetricResult) string {
	if m.Why != nil {
		return metricSentence(m)
	}
	if m.Decides {
		return string(m.Class) + ", has a say"
	}
	return string(m.Class)
}

// figures writes the figures that the study judges.
func (t *text) figures(rs []row) {
	g := figures(rs, severalCells(rs))
	if len(g.cells) == 0 {
		return
	}
	g.alignAt(2, " -> ")
	g.alignLeft(3, " %")
	t.line("")
	t.line("Metrics that the benchmarks report")
	for _, l := range g.lines() {
		t.line("  " + l)
	}
}

// figures writes the same for one benchmark of a note, with the titles of the
// figures.
func (n *note) figures(rs []row) {
	g := figures(rs, n.cells)
	if len(g.cells) == 0 {
		return
	}
	n.printf("Reported by the benchmark and judged:\n")
	n.printf("%s", mdTable(g).String())
	var titles []string
	for _, m := range n.study.Metrics {
		if m.Title != "" && slices.ContainsFunc(g.cells, func(row []string) bool { return row[1] == m.Unit }) {
			titles = append(titles, fmt.Sprintf("%s: %s (%s is better)", m.Unit, m.Title, m.Better))
		}
	}
	if len(titles) > 0 {
		n.printf("%s\n", clauses(titles))
	}
}

// judged reports whether the study judges that unit.
func (r row) judged(unit string) bool {
	return slices.ContainsFunc(r.Metrics, func(m study.MetricResult) bool { return m.Unit == unit })
}

func orDash(s string) string {
	if s == "" {
		return dash
	}
	return s
}

// stale lists the verdicts on which the study's prose rests and that were not
// found.
func stale(v study.VerdictFile) []string {
	if v.Plan.Study == nil {
		return nil
	}
	return v.Plan.Study.Prose.Stale(v.Results)
}
