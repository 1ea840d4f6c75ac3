package stat

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// TestFiguresOfSciPy compares with an implementation that is not ours.
// testdata/scipy.py writes the figures and says how to run it.
func TestFiguresOfSciPy(t *testing.T) {
	var want struct {
		Quantiles []struct{ P, DF, T float64 }
		Samples   []struct {
			D                    []float64
			Mean, SD, Median, HL float64
			Intervals            []struct{ Alpha, Lo, Hi float64 }
		}
		Launches []struct {
			Old, New         []int64
			Median, Sums, SE float64
		}
	}
	data, err := os.ReadFile("testdata/scipy.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if len(want.Quantiles) < 100 || len(want.Samples) < 10 || len(want.Launches) < 5 {
		t.Fatal("the fixture is not complete")
	}
	for _, q := range want.Quantiles {
		near(t, "quantile", tQuantile(q.P, q.DF), q.T, 1e-10*math.Abs(q.T))
	}
	for _, s := range want.Samples {
		near(t, "HL", HL(s.D), s.HL, 1e-14)
		near(t, "median", median(s.D), s.Median, 1e-14)
		for _, i := range s.Intervals {
			iv := over(s.D, i.Alpha)
			near(t, "mean", iv.mean, s.Mean, 1e-14)
			near(t, "standard deviation", iv.sd, s.SD, 1e-14)
			near(t, "lower end", iv.lo, i.Lo, 1e-10)
			near(t, "upper end", iv.hi, i.Hi, 1e-10)
		}
	}
	for _, l := range want.Launches {
		r := study.Record{N: 1, Baseline: study.Columns{Wall: l.Old}, Candidate: study.Columns{Wall: l.New}}
		got := &launch{rec: &r}
		m, se := got.estimate(mWall)
		near(t, "M", m, l.Median, 1e-13)
		near(t, "jackknife", se, l.SE, 1e-13)
		long, _ := got.estimate(sumWall)
		near(t, "sums", long, l.Sums, 1e-13)
	}
}
