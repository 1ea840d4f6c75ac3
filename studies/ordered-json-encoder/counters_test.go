package orderedjsonencoder

import (
	"math"
	"math/bits"
	"runtime"
	"runtime/debug"
	"testing"
)

// What a call allocates: objects and bytes, exact, with one processor and no
// garbage collection. The two arms are the same to the byte: json.Marshal has
// its buffer from a pool already, and both copy the result out. (The Encoder
// is on the stack.) The published change was reported with no counters of
// these methods.
func TestCountersAreExact(t *testing.T) {
	if raceDetector || bits.UintSize != 64 {
		t.Skip("the counters are those of a normal build for a 64-bit machine")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	type count struct{ allocs, bytes uint64 }
	want := map[string]count{"server": {2, 112}, "server-extra": {12, 672}, "document": {33, 2384}}
	for _, v := range values {
		for _, arm := range v.arms {
			arm.value.MarshalJSON() // fills the pools, that of encoding/json too
			got := count{math.MaxUint64, math.MaxUint64}
			for range 5 { // the least of them, so that the runtime's own allocations do not count
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				arm.value.MarshalJSON()
				runtime.ReadMemStats(&after)
				got.allocs = min(got.allocs, after.Mallocs-before.Mallocs)
				got.bytes = min(got.bytes, after.TotalAlloc-before.TotalAlloc)
			}
			if got != want[v.name] {
				t.Errorf("%s %s: %d allocations of %d bytes, want %v", v.name, arm.name, got.allocs, got.bytes, want[v.name])
			}
		}
	}
}
