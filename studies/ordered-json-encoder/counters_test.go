package orderedjsonencoder

import (
	"runtime"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// What a call allocates: objects and bytes, exact, with one processor and no
// garbage collection. The two arms are the same to the byte: json.Marshal has
// its buffer from a pool already, and both copy the result out. (The Encoder
// is on the stack.) The published change was reported with no counters of
// these methods.
func TestCountersAreExact(t *testing.T) {
	type count struct{ allocs, bytes uint64 }
	want := map[string]count{"server": {2, 112}, "server-extra": {12, 672}, "document": {33, 2384}, "published": {63, 7056}}
	for _, v := range values {
		for _, arm := range v.arms {
			allocs, bytes := exact.Counters(t, func() { arm.value.MarshalJSON() })
			if got := (count{allocs, bytes}); got != want[v.name] {
				t.Errorf("%s %s: %d allocations of %d bytes, want %v", v.name, arm.name, allocs, bytes, want[v.name])
			}
		}
	}
}

// The counters above are the same for both arms. After two collections, which
// empty every sync.Pool, they are not: one makes its buffer again.
func TestOnlyThePoolMakesABufferAfterCollections(t *testing.T) {
	for _, v := range values {
		bytes := map[string]uint64{}
		for _, arm := range v.arms {
			bytes[arm.name] = ^uint64(0)
			for range 3 { // the least: another goroutine may allocate too
				var before, after runtime.MemStats
				runtime.GC()
				runtime.GC()
				runtime.ReadMemStats(&before)
				arm.value.MarshalJSON()
				runtime.ReadMemStats(&after)
				bytes[arm.name] = min(bytes[arm.name], after.TotalAlloc-before.TotalAlloc)
			}
		}
		if bytes["pool"] < bytes["marshal"]+pooledSize/2 {
			t.Errorf("%s: %v bytes, want a buffer of %d more in the pool", v.name, bytes, pooledSize)
		}
	}
}
