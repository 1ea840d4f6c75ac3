package orderedjsonencoder

import (
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
	want := map[string]count{"server": {2, 112}, "server-extra": {12, 672}, "document": {33, 2384}}
	for _, v := range values {
		for _, arm := range v.arms {
			allocs, bytes := exact.Counters(t, func() { arm.value.MarshalJSON() })
			if got := (count{allocs, bytes}); got != want[v.name] {
				t.Errorf("%s %s: %d allocations of %d bytes, want %v", v.name, arm.name, allocs, bytes, want[v.name])
			}
		}
	}
}
