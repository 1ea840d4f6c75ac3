package orderedjsonwalker

import (
	"math"
	"math/bits"
	"runtime"
	"runtime/debug"
	"testing"
)

// What a walk allocates: objects and bytes, exact, with one processor and no
// garbage collection. A context is one allocation of 112 bytes, the size class
// of 104; the arms pool and value do without, and value also without the
// function of 16 bytes that lends a pointer. What is left, in all arms, are the
// strings of the paths: more allocations than there are contexts.
func TestCountersAreExact(t *testing.T) {
	if raceDetector || bits.UintSize != 64 {
		t.Skip("the counters are those of a normal build for a 64-bit machine")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	type count struct{ calls, allocs, bytes uint64 }
	want := map[string]map[string]count{
		"small":  {"new": {18, 59, 3488}, "pool": {18, 59 - 18, 3488 - 18*112}, "value": {18, 40, 1456}},
		"medium": {"new": {206, 706, 43568}, "pool": {206, 706 - 206, 43568 - 206*112}, "value": {206, 499, 20480}},
		"large":  {"new": {2452, 8271, 518432}, "pool": {2452, 8271 - 2452, 518432 - 2452*112}, "value": {2452, 5818, 243792}},
	}
	for _, doc := range documents {
		for _, arm := range arms {
			d := doc.get()
			var seen tally
			arm.walk(d, &seen) // fills the pool
			got := count{uint64(seen.calls), math.MaxUint64, math.MaxUint64}
			for range 5 { // the least of them, so that the runtime's own allocations do not count
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				arm.walk(d, &seen)
				runtime.ReadMemStats(&after)
				got.allocs = min(got.allocs, after.Mallocs-before.Mallocs)
				got.bytes = min(got.bytes, after.TotalAlloc-before.TotalAlloc)
			}
			if got != want[doc.name][arm.name] {
				t.Errorf("%s %s: %+v, want %+v", doc.name, arm.name, got, want[doc.name][arm.name])
			}
		}
	}
}
