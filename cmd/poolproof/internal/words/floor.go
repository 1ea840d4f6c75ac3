package words

import (
	"fmt"
	"math"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// FloorGrid has a row a benchmark.
func FloorGrid(rs []Row) Grid {
	g := Grid{Head: []string{"benchmark", "cell", "class", "effect", "launch sd", "half-width", "verdict"}}
	for _, r := range rs {
		class, effect, sd, half := Dash, Dash, Dash, Dash
		if r.Timed() {
			class, effect = string(r.Time), r.Change()
			sd, half = fine(math.Expm1(r.Deciding.LaunchSD)), fine(halfWidth(r.Deciding))
		}
		g.Add(r.Benchmark, r.CellName(), class, effect, sd, half, string(r.Verdict))
	}
	g.AlignLeft(3, " %")
	g.AlignLeft(4, " %")
	g.AlignLeft(5, " %")
	if !SeveralCells(rs) {
		g.Drop(1)
	}
	return g
}

// ToldApart counts the benchmarks that an A/A run found to differ from
// themselves.
func ToldApart(rs []Row) string {
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
	return fmt.Sprintf("%d of %s told apart from themselves, %d not decided.", wrong, Plural(measured, "benchmark", "benchmarks"), open)
}
