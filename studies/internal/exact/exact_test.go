package exact

import (
	"math/bits"
	"runtime"
	"runtime/debug"
	"sync"
	"testing"
)

var sink []byte

// allocate makes n objects of size bytes on the heap.
func allocate(n, size int) {
	for range n {
		sink = make([]byte, size)
	}
}

func TestACallCountsWhatItAllocates(t *testing.T) {
	pool := sync.Pool{New: func() any { return new([1024]byte) }}
	for _, c := range []struct {
		name          string
		run           func()
		allocs, bytes uint64
	}{
		{"nothing", func() {}, 0, 0},
		{"one object", func() { allocate(1, 1024) }, 1, 1024},
		{"three objects of the size class of 112 bytes", func() { allocate(3, 100) }, 3, 3 * 112},
		{"garbage of a collection of its own", func() { allocate(2, 4096); runtime.GC() }, 2, 2 * 4096},
		{"what a pool gives back", func() { pool.Put(pool.Get()) }, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			if allocs, bytes := Counters(t, c.run); allocs != c.allocs || bytes != c.bytes {
				t.Errorf("%d objects of %d bytes, want %d of %d", allocs, bytes, c.allocs, c.bytes)
			}
		})
	}
}

// TestOneCallMayHaveMore: the runtime allocates for itself now and then, in any of
// the calls.
func TestOneCallMayHaveMore(t *testing.T) {
	for more := range calls {
		call := -1
		allocs, bytes := Counters(t, func() {
			call++
			allocate(1, 1024)
			if call == more {
				allocate(2, 1024)
			}
		})
		if allocs != 1 || bytes != 1024 {
			t.Errorf("more in call %d: %d objects of %d bytes, want 1 of 1024", more, allocs, bytes)
		}
	}
}

func TestPrepareIsCalledBeforeEachCallAndDoesNotCount(t *testing.T) {
	prepared, runs := false, 0
	allocs, bytes := CountersAfter(t, func() {
		prepared = true
		allocate(3, 2048)
	}, func() {
		if !prepared {
			t.Errorf("prepare was not called before call %d", runs)
		}
		prepared = false
		runs++
		allocate(2, 1024)
	})
	if allocs != 2 || bytes != 2048 || runs != calls {
		t.Errorf("%d objects of %d bytes in each of %d calls, want 2 of 2048 in %d", allocs, bytes, runs, calls)
	}
}

// settings returns the processors and the percentage of garbage collection.
func settings() (procs, percent int) {
	percent = debug.SetGCPercent(-1)
	debug.SetGCPercent(percent)
	return runtime.GOMAXPROCS(0), percent
}

func TestTheSettingsAreThoseOfACallOrATestOnly(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	defer debug.SetGCPercent(debug.SetGCPercent(123))
	check := func(t *testing.T, when string, wantProcs, wantPercent int) {
		t.Helper()
		if procs, percent := settings(); procs != wantProcs || percent != wantPercent {
			t.Errorf("%s: %d processors and %d %%, want %d and %d %%", when, procs, percent, wantProcs, wantPercent)
		}
	}
	t.Run("Counters", func(t *testing.T) {
		CountersAfter(t, func() { check(t, "in prepare", 1, -1) }, func() { check(t, "in run", 1, -1) })
		check(t, "after Counters", 3, 123)
	})
	t.Run("a test that ends in run", func(t *testing.T) {
		Counters(t, func() { t.SkipNow() })
	})
	check(t, "after such a test", 3, 123)
	t.Run("Pools", func(t *testing.T) {
		Pools(t)
		check(t, "after Pools", 1, -1)
	})
	check(t, "after a test with Pools", 3, 123)
}

func TestOnlyANormalBuildForA64BitMachineCounts(t *testing.T) {
	for _, c := range []struct {
		race bool
		bits int
		want bool
	}{{false, 64, true}, {false, 32, false}, {true, 64, false}, {true, 32, false}} {
		if got := countable(c.race, c.bits); got != c.want {
			t.Errorf("race detector %t, %d bits: countable %t", c.race, c.bits, got)
		}
	}
	for _, f := range []struct {
		name string
		call func(t *testing.T)
		skip bool
	}{
		{"Counters", func(t *testing.T) { Counters(t, func() {}) }, RaceDetector || bits.UintSize != 64},
		{"Pools", func(t *testing.T) { Pools(t) }, RaceDetector},
	} {
		var skipped bool
		t.Run(f.name, func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			f.call(t)
		})
		if skipped != f.skip {
			t.Errorf("%s: skipped %t, want %t", f.name, skipped, f.skip)
		}
	}
}

func TestRaceDetectorIsTheBuildsSetting(t *testing.T) {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		t.Skip("the build says nothing of itself")
	}
	race := false
	for _, s := range info.Settings {
		race = race || s.Key == "-race" && s.Value == "true"
	}
	if race != RaceDetector {
		t.Errorf("RaceDetector is %t, the build's setting %t", RaceDetector, race)
	}
}

// failing counts the failures of a test that should fail.
type failing struct {
	testing.TB
	failures int
}

func (f *failing) Errorf(string, ...any) { f.failures++ }

// TestCallsThatDifferHaveNoCount: the least of the calls would be zero.
func TestCallsThatDifferHaveNoCount(t *testing.T) {
	for _, every := range []int{2, 3, 4, 5} {
		n := 0
		f := &failing{TB: t}
		Counters(f, func() {
			if n++; n%every == 0 {
				allocate(1, 1024)
			}
		})
		if f.failures != 2 { // objects and bytes
			t.Errorf("a call that allocates every %d times: %d failures, want 2", every, f.failures)
		}
	}
	f := &failing{TB: t}
	n := 0
	if allocs, _ := Counters(f, func() {
		if n++; n == 6 || n == 11 {
			allocate(1, 1024)
		}
	}); allocs != 0 || f.failures != 0 {
		t.Errorf("two calls that differ: %d objects, %d failures", allocs, f.failures)
	}
}
