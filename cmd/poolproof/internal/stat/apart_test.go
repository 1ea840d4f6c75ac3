package stat

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// inCells is a verdict file of one comparison in several cells.
func inCells(cells [][]string, estimates ...study.Estimate) study.VerdictFile {
	var v study.VerdictFile
	for i, cell := range cells {
		v.Plan.Comparisons = append(v.Plan.Comparisons, study.Comparison{Benchmark: "B", Cell: cell})
		v.Results = append(v.Results, study.Result{Comparison: strings.Join(cell, " "), Benchmark: "B", Arm: "new", Baseline: "old", Cell: cell, Deciding: estimates[i]})
	}
	return v
}

func TestEffectsOfTwoBuildsAreCompared(t *testing.T) {
	estimate := func(effect, lo, hi float64) study.Estimate {
		return study.Estimate{Effect: effect, Lo: lo, Hi: hi, Launches: 4}
	}
	v := inCells([][]string{{"GOTOOLCHAIN=go1.24.9", "GOGC=50"}, {"GOTOOLCHAIN=go1.26.8", "GOGC=50"}, {"GOTOOLCHAIN=go1.26.8", "GOGC=100"}, {"GOGC=100"}},
		estimate(-0.12, -0.13, -0.11), estimate(-0.03, -0.06, 0), estimate(-0.5, -0.5, -0.5), estimate(0.5, 0.5, 0.5))
	all := apart(v.Plan, v.Results)
	if len(all) != 1 {
		t.Fatalf("%d pairs of cells", len(all)) // of the same processes only, and of builds
	}
	// log(0.97/0.88), less the root of the squares of log(0.97/0.94) and log(0.89/0.88), and more.
	d := math.Log(0.97 / 0.88)
	lo, hi := math.Expm1(d-math.Hypot(math.Log(0.97/0.94), math.Log(0.89/0.88))), math.Expm1(d+math.Hypot(math.Log(1/0.97), math.Log(0.88/0.87)))
	if a := all[0]; a.From != "GOTOOLCHAIN=go1.24.9 GOGC=50" || a.To != "GOTOOLCHAIN=go1.26.8 GOGC=50" || math.Abs(a.Effect-math.Expm1(d)) > 1e-12 || math.Abs(a.Lo-lo) > 1e-12 || math.Abs(a.Hi-hi) > 1e-12 || !a.Differs() {
		t.Errorf("%+v, want %g [%g, %g]", a, math.Expm1(d), lo, hi)
	}
	for _, a := range []study.Apart{{Lo: -0.1, Hi: 0.1}, {Lo: 0, Hi: 0.1}} {
		if a.Differs() {
			t.Errorf("%+v differs", a)
		}
	}
}

// Of two cells with the same true effect the interval misses 0 about as often as those of
// the cells miss their truth, or less often.
func TestEqualBuildsAreSeldomToldApart(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n, z = 20000, 2.5758293 // of a normal distribution at 1 %
	missed := 0
	for range n {
		one := func() study.Estimate {
			sd := 0.005 + 0.05*rng.Float64()
			x := -0.3 + sd*rng.NormFloat64()
			return study.Estimate{Effect: math.Expm1(x), Lo: math.Expm1(x - z*sd), Hi: math.Expm1(x + z*sd), Launches: 4}
		}
		v := inCells([][]string{{"PGO=off"}, {"PGO=auto"}}, one(), one())
		if apart(v.Plan, v.Results)[0].Differs() {
			missed++
		}
	}
	if share := float64(missed) / n; share > 0.013 || share < 0.007 {
		t.Errorf("%.2f %% of equal cells are told apart, want about 1 %%", 100*share)
	}
}
