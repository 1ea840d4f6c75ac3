package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestHL(t *testing.T) {
	for _, tt := range []struct {
		name string
		d    []float64
		want float64
	}{
		{"one value is its own centre", []float64{7}, 7},
		{"two values meet in the middle", []float64{1, 2}, 1.5},
		{"a far value counts little", []float64{10, 1, 2}, 3.75}, // 1 1.5 2 | 5.5 6 10
		{"an odd number of means", []float64{0, 0, 3, 1}, 0.75},  // 0 0 0 .5 .5 | 1 1.5 1.5 2 3
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := slices.Clone(tt.d)
			near(t, "HL", HL(tt.d), tt.want, 1e-15)
			if !slices.Equal(tt.d, before) {
				t.Errorf("the argument was changed to %v", tt.d)
			}
		})
	}
	if got := HL(nil); !math.IsNaN(got) {
		t.Errorf("HL of nothing is %v", got)
	}
}

func TestHLShiftsWithAConstantAndMirrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for range 200 {
		d := make([]float64, 1+rng.IntN(40))
		shifted, mirrored := slices.Clone(d), slices.Clone(d)
		c := rng.NormFloat64()
		for i := range d {
			d[i] = rng.NormFloat64()
			shifted[i], mirrored[i] = d[i]+c, -d[i]
		}
		near(t, "shifted HL", HL(shifted), HL(d)+c, 1e-12)
		near(t, "mirrored HL", HL(mirrored), -HL(d), 1e-12)
		near(t, "shifted median", median(shifted), median(d)+c, 1e-12)
	}
}

func TestMedianOfAnEvenNumberIsTheMiddleOfTwo(t *testing.T) {
	near(t, "median", median([]float64{4, 1, 100, 2}), 3, 0)
	near(t, "median", median([]float64{4, 1, 100}), 4, 0)
	near(t, "deviation", deviation([]float64{1, 2, 3, 4}), math.Sqrt(5.0/3), 1e-15)
}
