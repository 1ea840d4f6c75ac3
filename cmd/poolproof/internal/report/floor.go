package report

import (
	"fmt"
	"io"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// NoiseFloor writes the table of an A/A run, in which every benchmark was
// compared with itself: the class and the effect that were found where there
// is none, the standard deviation of a launch, and the half-width of the
// interval, which is the smallest effect that this machine could have shown.
func NoiseFloor(w io.Writer, v study.VerdictFile) error {
	var t text
	rs := rows(v)
	g := floorGrid(rs)
	for _, l := range g.lines() {
		t.line(l)
	}
	t.line("")
	t.line(toldApart(rs))
	t.section("Reasons", reasons(rs, func(r row) bool { return r.Verdict != study.NoChange }))
	t.section("Failed", failed(v, rs))
	t.section("Not measured", notMeasured(rs))
	t.section("Nothing timed", empty(rs))
	t.section("Busy machine", disturbed(rs))
	return t.writeTo(w)
}

// floorGrid has a row a benchmark.
func floorGrid(rs []row) grid {
	g := grid{head: []string{"benchmark", "cell", "class", "effect", "launch sd", "half-width", "verdict"}}
	for _, r := range rs {
		class, effect, sd, half := dash, dash, dash, dash
		if r.Timed() {
			class, effect = string(r.Time), r.effect()
			sd, half = fine(fromLog(r.Deciding.LaunchSD)), fine(halfWidth(r.Deciding))
		}
		g.add(r.Benchmark, r.cell(), class, effect, sd, half, string(r.Verdict))
	}
	g.alignLeft(3, " %")
	g.alignLeft(4, " %")
	g.alignLeft(5, " %")
	if !severalCells(rs) {
		g.drop(1)
	}
	return g
}

// toldApart counts the benchmarks that an A/A run found to differ from
// themselves.
func toldApart(rs []row) string {
	var measured, wrong, open int
	for _, r := range rs {
		switch {
		case !r.Timed():
			continue
		case r.Time == study.Better || r.Time == study.Worse:
			wrong++
		case r.Verdict == study.Inconclusive:
			open++
		}
		measured++
	}
	return fmt.Sprintf("%d of %s told apart from themselves, %d not decided.", wrong, plural(measured, "benchmark", "benchmarks"), open)
}

// floor is the table in a note.
func (n *note) floor() {
	if len(n.rows) == 0 {
		return
	}
	n.heading("Results")
	n.printf("Every benchmark was compared with itself, so each effect is noise.\n")
	g := floorGrid(n.rows)
	n.printf("%s", mdTable(g).String())
}
