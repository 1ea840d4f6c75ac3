package orderedjsonwalker

import (
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// What a walk allocates: objects and bytes, exact, with one processor and no
// garbage collection. A context is one allocation of 112 bytes, the size class
// of 104; the arms pool and value do without, and value also without the
// function of 16 bytes that lends a pointer. What is left, in all arms, are the
// strings of the paths: more allocations than there are contexts.
func TestCountersAreExact(t *testing.T) {
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
			arm.walk(d, &seen)
			calls := uint64(seen.calls)
			allocs, bytes := exact.Counters(t, func() { arm.walk(d, &seen) })
			if got := (count{calls, allocs, bytes}); got != want[doc.name][arm.name] {
				t.Errorf("%s %s: %+v, want %+v", doc.name, arm.name, got, want[doc.name][arm.name])
			}
		}
	}
}
