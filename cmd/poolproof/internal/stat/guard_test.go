package stat

import (
	"math"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// shifts makes launches whose medians are known: launch i is off by shifts[i],
// and the bursts inside it vary by noise.
func shifts(noise float64, shift ...float64) world {
	w := plainWorld()
	w.edit = func(r *study.Record) {
		if r.Layout != 0 {
			return
		}
		for i := range r.Candidate.Wall {
			zigzag := noise * float64(1-2*((i/4)%2)) // four pairs a group of the jackknife
			r.Candidate.Wall[i] = int64(math.Round(float64(r.Baseline.Wall[i]) * math.Exp(shift[r.Launch]+zigzag)))
		}
	}
	return w
}

func TestLaunchesThatDifferTooMuchAreDoubted(t *testing.T) {
	for _, tt := range []struct {
		name  string
		noise float64
		shift []float64
		want  study.Class
	}{
		{"two modes that the bursts do not explain", 0.001, []float64{0.01, 0.07, 0.07, 0.07, 0.07, 0.07}, study.Unresolved},
		{"the same launches with bursts as uneven", 0.1, []float64{0.01, 0.07, 0.07, 0.07, 0.07, 0.07}, study.Worse},
		{"unlike launches inside the band", 0.0001, []float64{0.022, 0.031, 0.022, 0.031}, study.Worse},
		{"unlike launches, far beyond what they could make", 0.001, []float64{0.5, 0.6, 0.5, 0.6}, study.Worse},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := withoutLayout(testPlan())
			w := shifts(tt.noise, tt.shift...)
			got := judgeC(t, p, w.launches(p, len(tt.shift)))
			if got.Deciding.Class != study.Worse {
				t.Fatalf("the test is about decisions: %+v", got.Deciding)
			}
			if got.Time != tt.want || got.Want != nil {
				t.Errorf("%s, want %s: %q", got.Time, tt.want, said(got))
			}
			if tt.want == study.Unresolved && (got.Verdict != study.Inconclusive || got.NeedTime != 0 ||
				!strings.HasPrefix(said(got)[0], "launches differ more than the bursts inside them explain: their standard deviation is 2.7 %, 0.3 % was to be expected")) {
				t.Errorf("%s, %v: %q", got.Verdict, got.NeedTime, said(got))
			}
		})
	}
}
