//go:build unix

package duet

import (
	"math"
	"testing"
	"time"

	"github.com/poolproof/poolproof/cmd/poolproof/internal/study"
)

func TestASliceDoesExactlyNOperations(t *testing.T) {
	for _, leaf := range []string{
		"BenchmarkLoop", "BenchmarkN", "BenchmarkAlloc", "BenchmarkAllocLoop", "BenchmarkParallel",
		"BenchmarkStopStart", "BenchmarkSetUpN", "BenchmarkSetUpLoop",
	} {
		t.Run(leaf, func(t *testing.T) {
			p := serve(t, leaf)
			for _, n := range []int{1, 2, 3, 17, 1, 40} {
				s := burst(t, p, n)
				if s.N != n || s.Extra["done"] != float64(n) {
					t.Errorf("of %d operations b.N tells %d, and %v were done", n, s.N, s.Extra["done"])
				}
				if s.Wall <= 0 || s.CPU < 0 || s.Drain < 0 || s.DrainW < 0 || s.Heap == 0 || s.Real < time.Duration(s.Wall) {
					t.Errorf("impossible burst %+v", s)
				}
			}
		})
	}
}

func TestAllocationsAreCountedExactly(t *testing.T) {
	for leaf, want := range map[string]struct{ allocs, bytes uint64 }{
		"BenchmarkLoop":      {0, 0},
		"BenchmarkN":         {0, 0},
		"BenchmarkAlloc":     {1, 1024},
		"BenchmarkAllocLoop": {1, 1024},
	} {
		t.Run(leaf, func(t *testing.T) {
			p := serve(t, leaf)
			const n = 500
			allocs, bytes := uint64(math.MaxUint64), uint64(math.MaxUint64)
			for range 10 { // the runtime may add an object of its own to some
				s := burst(t, p, n)
				allocs, bytes = min(allocs, s.Allocs), min(bytes, s.Bytes)
			}
			if allocs != n*want.allocs || bytes != n*want.bytes {
				t.Errorf("%d operations: %d objects, %d bytes, want %d and %d", n, allocs, bytes, n*want.allocs, n*want.bytes)
			}
		})
	}
}

func TestTheCPUWindowLeavesOutWhatTheTimerLeavesOut(t *testing.T) {
	for _, leaf := range []string{"BenchmarkSetUpN", "BenchmarkSetUpLoop", "BenchmarkStopStart"} {
		t.Run(leaf, func(t *testing.T) {
			p := serve(t, leaf)
			var window, wall time.Duration
			for range 5 {
				s := burst(t, p, 3)
				window += time.Duration(s.CPU)
				wall += time.Duration(s.Wall)
			}
			p.Close()
			if 5*window > p.CPU() {
				t.Errorf("%v of CPU inside of the timer window, %v in all, though nearly all is outside", window, p.CPU())
			}
			if window == 0 {
				t.Error("no CPU time inside of the window")
			}
		})
	}
}

func TestTheCPUWindowHoldsTheWorkInside(t *testing.T) {
	p := serve(t, "BenchmarkN")
	var window time.Duration
	for range 5 {
		window += time.Duration(burst(t, p, 100_000).CPU)
	}
	one := window
	for range 5 { // the runtime's threads may work beside some
		one = min(one, time.Duration(burst(t, p, 1).CPU))
	}
	if 10*one > window {
		t.Errorf("%v of CPU for one operation after %v for 500,000: each burst must begin at zero", one, window)
	}
	p.Close()
	if 2*window < p.CPU() {
		t.Errorf("%v of CPU inside of the timer window, %v in all, though nearly all is inside", window, p.CPU())
	}
}

func TestNoCollectionIsForcedBetweenSlices(t *testing.T) {
	p := serve(t, "BenchmarkN")
	for i := range 3000 {
		if s := burst(t, p, 1); s.GCs != 0 {
			t.Fatalf("%d collections in burst %d of a benchmark that does not allocate", s.GCs, i)
		}
	}
	s, err := p.Run(t.Context(), 1, true)
	if err != nil || s.GCs != 1 {
		t.Errorf("%d collections, %v in a burst with a forced one", s.GCs, err)
	}
}

func TestCollectionsAreSeenAndDrained(t *testing.T) {
	p := serve(t, "BenchmarkGarbage")
	var cycles, reached uint32
	var gc, pause int64
	drained := false // until the end, not until the server's patience was over
	for range 300 {
		s := burst(t, p, 64)
		cycles, gc, pause = cycles+s.GCs, gc+s.GCCPU, pause+s.Pause
		if drained && s.Extra["marking"] != 0 {
			reached++
		}
		drained = s.DrainW < int64(40*time.Millisecond)
	}
	// What the server itself allocates between two bursts may begin a collection
	// there, which no waiting after the first burst can end.
	if 10*reached > cycles {
		t.Errorf("%d of %d collections were marking when a burst began", reached, cycles)
	}
	if cycles == 0 || gc <= 0 || pause <= 0 {
		t.Errorf("%d collections, %d ns of CPU, %d ns of pauses in 300 MiB of garbage", cycles, gc, pause)
	}
}

func TestMetricsOfTheBenchmarkComeBack(t *testing.T) {
	s := burst(t, serve(t, "BenchmarkMetric"), 5)
	if len(s.Extra) != 2 || s.Extra["answers/op"] != 42 || s.Extra[`odd"unit`] != 0.5 {
		t.Errorf("metrics %v", s.Extra)
	}
}

func TestEveryLeafOfAParentIsServedByItsName(t *testing.T) {
	m := built(t, "bench", study.EngineDuet, 0)
	leaves, err := Leaves(t.Context(), m.side, "^BenchmarkSub$", limit)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"kind=a", "kind=b_c", "deep/x", `(a|b)*[c]+$.\d`, "size-4", "same", "same#01", "pre/fix", "pre", "größe"}
	if len(leaves) != len(want) {
		t.Fatalf("%v, want %d leaves", leaves, len(want))
	}
	for i, leaf := range leaves {
		if leaf.Name != "BenchmarkSub/"+want[i] {
			t.Errorf("leaf %d is %q, want %q", i, leaf.Name, want[i])
		}
		l := launch(m.side, leaf.Name)
		l.Shape = &Shape{N: [2]int{2, 2}, Pairs: 3, WarmUp: 1}
		r, _, err := l.Run(t.Context())
		if err != nil || r.Status != study.StatusOK || r.Baseline.Extra["done"] != 2 || r.Candidate.Extra["which"] != float64(i) {
			t.Errorf("%s: %s %s, %v", leaf.Name, r.Status, r.Error, err)
		}
	}
}

func TestABenchmarkMayStartItsOwnBinary(t *testing.T) {
	if s := burst(t, serve(t, "BenchmarkAgain"), 2); s.Extra["done"] != 2 {
		t.Errorf("%v of 2 children ran their benchmark", s.Extra["done"])
	}
}

func TestSlicesAreParsedOrRefused(t *testing.T) {
	got, err := parseBurst(`burst 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 "a b" 0.5 "c" NaN`)
	if err != nil || got.Wall != 1 || got.CPU != 2 || got.Drain != 3 || got.DrainW != 4 || got.Allocs != 5 || got.Bytes != 6 ||
		got.GCs != 7 || got.GCCPU != 8 || got.Pause != 9 || got.Heap != 10 || got.N != 11 || got.Processor != 12 || got.All != 13 || got.Own != 14 || got.Waits != 15 || got.Extra["a b"] != 0.5 || !math.IsNaN(got.Extra["c"]) {
		t.Errorf("%+v, %v", got, err)
	}
	for _, line := range []string{
		"", "burst", "burst 1 2 3", "burst 1 2 3 4 5 6 7 8 9 10 11 12 13 14 x", "other 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15",
		"burst 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 unit 1", `burst 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 "unit" x`, `burst 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 "unit"`,
	} {
		if _, err := parseBurst(line); err == nil {
			t.Errorf("%q was taken for a burst", line)
		}
	}
}

func FuzzParseBurst(f *testing.F) {
	f.Add("burst 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 \"a b\" 0.5")
	f.Fuzz(func(t *testing.T, line string) { parseBurst(line) }) // it must end without a panic
}

// A grain of RunParallel is 100 us of the burst before; of a burst of a millisecond that
// is too much.
func TestGrainsAreFineForABurst(t *testing.T) {
	p := serve(t, "BenchmarkParallel")
	before := burst(t, p, 2000)
	for range 3 {
		b := burst(t, p, 2000)
		if want := max(1, 1e5*2000/(8*before.Wall)); b.Extra["grain"] != float64(want) {
			t.Errorf("grains of %v operations after a burst of %d ns, want %d", b.Extra["grain"], before.Wall, want)
		}
		before = b
	}
}
