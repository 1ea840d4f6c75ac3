package stat

import (
	"math"
	"testing"
)

func TestQuantilesOfStudentAgreeWithPrintedTables(t *testing.T) {
	for p, byDF := range map[float64][]float64{
		0.9925: {5.0473, 4.0880, 3.6338, 3.3723, 3.2032, 3.0851, 2.9982, 2.9316, 2.8789},
		0.975:  {3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010},
	} {
		for i, want := range byDF {
			near(t, "t", tQuantile(p, float64(i+3)), want, 0.00005)
		}
	}
}

func TestQuantilesOfStudentAgreeWithClosedForms(t *testing.T) {
	for _, p := range []float64{1e-9, 0.001, 0.2, 0.5, 0.7, 0.9925, 0.999, 1 - 1e-9} {
		one := math.Tan(math.Pi * (p - 0.5))
		a := 2*p - 1
		two := a * math.Sqrt2 / math.Sqrt(4*p*(1-p))
		near(t, "t with 1 degree", tQuantile(p, 1), one, 1e-7*math.Abs(one))
		near(t, "t with 2 degrees", tQuantile(p, 2), two, 1e-7*math.Abs(two))
	}
}

func TestQuantilesOfStudentDoNotExistOutsideTheUnitInterval(t *testing.T) {
	for _, args := range [][2]float64{{0, 3}, {1, 3}, {-0.1, 3}, {0.5, 0}, {math.NaN(), 3}, {0.9, math.NaN()}} {
		if q := tQuantile(args[0], args[1]); !math.IsNaN(q) {
			t.Errorf("tQuantile(%v, %v) = %v", args[0], args[1], q)
		}
	}
}
