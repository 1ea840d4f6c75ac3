//go:build unix

package duet

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

// paced runs a window.
func paced(t *testing.T, p *Proc, n int, period time.Duration) Burst {
	t.Helper()
	s, err := p.Pace(t.Context(), n, period)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPacedOperationsKeepAFixedSchedule(t *testing.T) {
	const n, period = 10, 20 * time.Millisecond
	p := serve(t, "BenchmarkPaced")
	for try := 1; ; try++ { // where the machine stalls, a window is longer, or the first operation late
		s := paced(t, p, n, period)
		if s.N != n || s.Extra["done"] != n {
			t.Fatalf("b.N tells %d, %v were done", s.N, s.Extra["done"])
		}
		// The window ends when the period of its last operation does.
		wall := time.Duration(s.Wall)
		if wall < n*period {
			t.Errorf("a window of %v", wall)
		}
		// The one behind the pause starts 40 ms late, the next 20 ms.
		if late := time.Duration(s.Late); late < 59*time.Millisecond {
			t.Errorf("late by %v in all", late)
		}
		var wrong []string
		// A pause of three periods is caught up with: the schedule is fixed.
		if wall > n*period+2*period {
			wrong = append(wrong, fmt.Sprintf("the window took %v, of %v", wall, n*period))
		}
		for i := range n {
			// Of the fourth and fifth, which could not start on time, none is
			// early either.
			if start := s.Extra["start"+string(rune('a'+i))]; start < (time.Duration(i)*period).Seconds()-1e-4 {
				wrong = append(wrong, fmt.Sprintf("operation %d started %v s after the first", i, start))
			}
		}
		if wrong == nil {
			return
		}
		if try == 30 {
			t.Fatalf("in all of %d windows, here of the last: %q", try, wrong)
		}
	}
}

func TestAPacedWindowHoldsNoIdleTimeAndNothingOfTheSetUp(t *testing.T) {
	p := serve(t, "BenchmarkSetUpLoop")
	var window time.Duration
	for range 5 {
		window += time.Duration(paced(t, p, 5, 2*time.Millisecond).CPU)
	}
	p.Close()
	// Its set-up burns milliseconds; five operations of some hundred nanoseconds
	// and their timers do not.
	if window == 0 || 2*window > p.CPU() {
		t.Errorf("%v of CPU time in the windows, %v in all", window, p.CPU())
	}
}

func TestPacedAllocationsAreCountedExactly(t *testing.T) {
	p := serve(t, "BenchmarkAllocLoop")
	allocs, bytes, gcs := uint64(math.MaxUint64), uint64(math.MaxUint64), uint32(0)
	for try := 0; try < 30 && allocs > 50; try++ { // the runtime may add objects of its own to some
		s := paced(t, p, 50, time.Millisecond)
		allocs, bytes, gcs = min(allocs, s.Allocs), min(bytes, s.Bytes), gcs+s.GCs
		if s.Price <= 0 || s.Room == 0 {
			t.Errorf("a collection costs %d ns, the next is %d bytes away", s.Price, s.Room)
		}
	}
	if allocs != 50 || bytes != 50*1024 {
		t.Errorf("50 operations: %d objects, %d bytes", allocs, bytes)
	}
	// 50 KiB a window make no collection; the forced ones behind the windows
	// are none of theirs.
	if gcs != 0 {
		t.Errorf("%d collections in the windows", gcs)
	}
	// An ordinary burst knows nothing of the pace.
	if s := burst(t, p, 50); s.N != 50 || s.Extra["done"] != 50 || s.Price != 0 || s.Seen == study.SeenPaced {
		t.Errorf("%+v", s)
	}
}

func TestTheRoomIsThatOfTheCollectorsGoal(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	room := func(env ...string) uint64 {
		s := m.side
		s.Env = env
		return paced(t, serveFrom(t, s, "BenchmarkPacedHeld"), 5, time.Millisecond).Room
	}
	off, least, wide := room("GOGC=off"), room("GOGC=100"), room("GOGC=400")
	if off != 1<<62 || least < 2<<20 || least > 64<<20 || wide < 2*least {
		t.Errorf("room %d without a collector, %d at GOGC=100, %d at 400", off, least, wide)
	}
}

func TestBenchmarksThatCannotBePacedSaySo(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	for leaf, want := range map[string]string{
		"BenchmarkN":            "BenchmarkN does not use b.Loop: a benchmark with a rate needs it, for the loop paces the operations",
		"BenchmarkParallel":     "BenchmarkParallel does not use b.Loop",
		"BenchmarkBreakLater":   "BenchmarkBreakLater left its loop before b.Loop was false",
		"BenchmarkPacedStopped": "BenchmarkPacedStopped failed: ",
	} {
		t.Run(leaf, func(t *testing.T) {
			l := launch(m.side, leaf)
			l.Form, l.Pace = study.FormRate, study.Pace{Rate: 1000, Window: study.Duration(20 * time.Millisecond)}
			r, _, err := l.Run(t.Context())
			if err != nil || r.Status != study.StatusFailed || !strings.HasPrefix(r.Error, want) {
				t.Errorf("%s %q, %v", r.Status, r.Error, err)
			}
		})
	}
}

func TestAPacedLaunchRecordsWhatItDid(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	l := launch(m.side, "BenchmarkAllocLoop")
	l.Form, l.Number, l.Pace = study.FormRate, 3, study.Pace{Rate: 1000, Window: study.Duration(20 * time.Millisecond)}
	r, shape, err := l.Run(t.Context())
	if err != nil || r.Status != study.StatusOK {
		t.Fatalf("%s %s, %v", r.Status, r.Error, err)
	}
	if r.Form != study.FormRate || r.N != 20 || r.Launch != 3 || shape.N != [2]int{20, 20} || shape.Pairs != 10 || r.Go != m.chain.Version {
		t.Errorf("%+v %+v", r, shape)
	}
	for name, c := range map[string]study.Columns{"baseline": r.Baseline, "candidate": r.Candidate} {
		for column, n := range map[string]int{
			"wall": len(c.Wall), "cpu": len(c.CPU), "drain": len(c.Drain), "allocs": len(c.Allocs), "gcs": len(c.GCs), "pause": len(c.Pause),
			"late": len(c.Late), "price": len(c.Price), "price of the pause": len(c.PricePause), "room": len(c.Room), "coins": len(r.CandidateFirst),
		} {
			if n != 10 {
				t.Errorf("%s has %d windows in column %s", name, n, column)
			}
		}
		if c.Extra["done"] != 20 {
			t.Errorf("%s: %v were done", name, c.Extra)
		}
		for _, wall := range c.Wall {
			if wall < int64(20*time.Millisecond) {
				t.Errorf("%s: a window of %v", name, time.Duration(wall))
			}
		}
	}
}

func TestPacedAnswersAreReadWhole(t *testing.T) {
	s, err := parsePaced(`paced 7 8 6 9 burst 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 "x" 0.5`)
	if err != nil || s.Late != 7 || s.Price != 8 || s.PricePause != 6 || s.Room != 9 || s.Seen != study.SeenPaced || s.Wall != 1 || s.N != 11 || s.Extra["x"] != 0.5 {
		t.Errorf("%+v, %v", s, err)
	}
	for _, line := range []string{"", "paced", "paced 1 2 3 4", "burst 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", "paced 1 2 3 x burst 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15", "paced 1 2 3 4 burst 1 2"} {
		if _, err := parsePaced(line); err == nil {
			t.Errorf("%q is read", line)
		}
	}
}
