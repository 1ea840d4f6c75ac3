package orderedjsonlent

import (
	"io"
	"math/bits"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

// TestFormsAgree holds the forms together: each lends an empty buffer once. It
// runs before anything is timed.
func TestFormsAgree(t *testing.T) {
	defer func(f func(io.Writer)) { write = f }(write)
	var lent int
	write = func(w io.Writer) {
		io.WriteString(w, payload)
		lent++
	}
	for _, f := range forms {
		lent = 0
		for range 3 { // the later ones find a used pool
			if n := f.run(); n != len(payload) {
				t.Errorf("%s: %d bytes, want %d", f.name, n, len(payload))
			}
		}
		if lent != 3 {
			t.Errorf("%s lends %d buffers in 3 runs", f.name, lent)
		}
	}
}

func TestEachFormTakesMoreThanItHasAtFirst(t *testing.T) {
	defer func(f func(io.Writer)) { write = f }(write)
	write = func(w io.Writer) { io.WriteString(w, strings.Repeat("x", 3*size)) }
	for _, f := range forms {
		if n := f.run(); n != 3*size {
			t.Errorf("%s: %d bytes, want %d", f.name, n, 3*size)
		}
	}
}

// Published were 2 allocations and 4.0 KiB for the form without a pool, and
// none with it. So are ours: 4096 bytes, and 40 for the header in a size class
// of 48. The plain form takes 64 bytes for its first 59, in place of 4096.
func TestCountersAreExact(t *testing.T) {
	if raceDetector || bits.UintSize != 64 {
		t.Skip("the counters are those of a normal build for a 64-bit machine")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	const runs = 100
	want := map[string][2]uint64{"fresh": {2, 4096 + 48}, "pool": {0, 0}, "zero": {2, 64 + 48}}
	for _, f := range forms {
		f.run() // fills the pool
		allocs, bytes := uint64(1<<40), uint64(1<<40)
		for range 5 { // the least of them, so that the runtime's own allocations do not count
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for range runs {
				f.run()
			}
			runtime.ReadMemStats(&after)
			allocs = min(allocs, after.Mallocs-before.Mallocs)
			bytes = min(bytes, after.TotalAlloc-before.TotalAlloc)
		}
		if w := want[f.name]; allocs != runs*w[0] || bytes != runs*w[1] {
			t.Errorf("%s: %d allocations and %d bytes in %d runs, want %d and %d in each", f.name, allocs, bytes, runs, w[0], w[1])
		}
	}
}
