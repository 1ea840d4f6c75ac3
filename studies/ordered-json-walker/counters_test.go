package orderedjsonwalker

import (
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// What a walk allocates: objects and bytes, exact, with one processor and no
// garbage collection. A context is one allocation of 128 bytes, the size class
// of 120, which the arms pool and value do without. What is left, in all arms, are
// the strings of the paths, of which most schemas take six: three to four times as
// many allocations as there are contexts. The published walker with its pool, at
// revision b6cf92d, allocates 95, 774 and 9,305 objects of 6,338, 53,293 and
// 657,357 bytes for the same calls of handlers on the same documents.
func TestCountersAreExact(t *testing.T) {
	type count struct{ calls, allocs, bytes uint64 }
	lean := map[string]count{"small": {18, 93, 6_064}, "medium": {206, 772, 53_016}, "large": {2452, 9303, 657_040}}
	for _, doc := range documents {
		for _, arm := range arms {
			d := doc.get()
			var seen tally
			arm.walk(d, &seen)
			calls := uint64(seen.calls)
			allocs, bytes := exact.Counters(t, func() { arm.walk(d, &seen) })
			want := lean[doc.name]
			if arm.name == "new" {
				want.allocs += want.calls
				want.bytes += 128 * want.calls
			}
			if got := (count{calls, allocs, bytes}); got != want {
				t.Errorf("%s %s: %+v, want %+v", doc.name, arm.name, got, want)
			}
		}
	}
}
