package duet

import (
	"context"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// TestOneDisturbedTimingShapesNothing lets the machine do something else during
// each burst of a calibration in turn: all shapes must be nearly that of the
// undisturbed one, whatever an operation takes.
func TestOneDisturbedTimingShapesNothing(t *testing.T) {
	rule := study.Rule{
		Burst: study.Duration(time.Millisecond), WarmUp: 40, Pairs: 200, PairsQuiet: 100,
		Soak: study.Duration(500 * time.Millisecond),
	}
	for _, op := range []time.Duration{1400 * time.Nanosecond, 35 * time.Microsecond, 700 * time.Microsecond, 2500 * time.Microsecond} {
		// shape is the one found where burst number k takes longer, inside its timer
		// window or outside of it; calls is how many bursts were run.
		shape := func(k int, inside, outside time.Duration) (s Shape, calls int) {
			run := func(_ context.Context, n int, _ bool) (Burst, error) {
				calls++
				d, setup := time.Duration(n)*op, 20*time.Microsecond
				if calls == k {
					d, setup = d+inside, setup+outside
				}
				return Burst{Burst: study.Burst{Wall: int64(d), Allocs: uint64(n)}, Real: d + setup, N: n}, nil
			}
			s, _, err := shapeOf(t.Context(), [2]runner{run, run}, rule, study.FormBursts, 0)
			if err != nil {
				t.Fatal(err)
			}
			return s, calls
		}
		quiet, calls := shape(0, 0, 0)
		for k := 1; k <= calls; k++ {
			for _, longer := range [][2]time.Duration{{30 * time.Millisecond, 0}, {150 * time.Millisecond, 0}, {0, 30 * time.Millisecond}} {
				got, _ := shape(k, longer[0], longer[1])
				if got.Note != quiet.Note || got.Pairs != quiet.Pairs || got.WarmUp != quiet.WarmUp || 5*got.N[0] < 4*quiet.N[0] || 4*got.N[0] > 5*quiet.N[0] || got.N[0] != got.N[1] {
					t.Errorf("an operation of %v, burst %d of %d longer by %v inside its window and %v outside: %+v, undisturbed %+v",
						op, k, calls, longer[0], longer[1], got, quiet)
				}
			}
		}
	}
}

// TestAFirstLaunchFitsTheBudget has operations of 100 µs: the first launch looks for rare work for half a second of
// bursts a side, or for as long as the budget leaves a launch.
func TestAFirstLaunchFitsTheBudget(t *testing.T) {
	rule := study.Rule{Burst: study.Duration(time.Millisecond), WarmUp: 40, Pairs: 200, PairsQuiet: 100, Soak: study.Duration(500 * time.Millisecond)}
	run := func(_ context.Context, n int, _ bool) (Burst, error) {
		d := time.Duration(n) * 100 * time.Microsecond
		return Burst{Burst: study.Burst{Wall: int64(d)}, Real: d, N: n}, nil
	}
	for _, tt := range []struct {
		limit       time.Duration
		pairs, soak int
	}{{0, 100, 500}, {4 * time.Second, 100, 500}, {600 * time.Millisecond, 100, 300}, {150 * time.Millisecond, 75, 0}} {
		s, _, err := shapeOf(t.Context(), [2]runner{run, run}, rule, study.FormBursts, tt.limit)
		if err != nil || s.Pairs != tt.pairs || s.Soak != tt.soak {
			t.Errorf("with %v for a launch: %+v, %v, want %d pairs and %d in the first launch", tt.limit, s, err, tt.pairs, tt.soak)
		}
	}
}

// TestEqualSidesHaveOneN: all bursts by which one side was calibrated were ten times
// as long, as those of a machine that does something else.
func TestEqualSidesHaveOneN(t *testing.T) {
	side := func(disturbed int) runner {
		calibrations := 0
		return func(_ context.Context, n int, gc bool) (Burst, error) {
			if gc && n == 1 {
				calibrations++
			}
			wall := 100 * int64(n)
			if gc && calibrations <= disturbed {
				wall *= 10
			}
			return Burst{Burst: study.Burst{Wall: wall}, N: n, Real: time.Duration(wall)}, nil
		}
	}
	for _, slow := range []int{0, 1} {
		for disturbed, alike := range []bool{true, true, false} { // a second time it is taken for slow
			var sides [2]runner
			sides[slow], sides[1-slow] = side(disturbed), side(0)
			p, err := probeBoth(t.Context(), sides, time.Millisecond)
			if err != nil || (p.n[0] == p.n[1]) != alike || max(p.n[0], p.n[1]) != 10_000 {
				t.Errorf("side %d disturbed in %d calibrations: %d operations a burst, %v", slow, disturbed, p.n, err)
			}
		}
	}
}
