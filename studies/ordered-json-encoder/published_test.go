package orderedjsonencoder

import (
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// The published document allocated 66 objects of 7,036 bytes without the pool and
// of 7,049 with it. For ours, of about that size, the two arms differ by nothing
// as long as no collection empties the pool; what that adds is the subject of
// TestOnlyThePoolMakesABufferAfterCollections.
func TestADocumentOfThePublishedSizeAllocatesTheSameInBothArms(t *testing.T) {
	plain, pooled := ofThePublishedSize[Marshal](), ofThePublishedSize[Pool]()
	allocs, bytes := exact.Counters(t, func() { plain.MarshalJSON() })
	if allocs < 63 || allocs > 69 || bytes < 6_900 || bytes > 7_170 {
		t.Errorf("%d allocations of %d bytes, want about 66 of 7,036", allocs, bytes)
	}
	if a, b := exact.Counters(t, func() { pooled.MarshalJSON() }); a != allocs || b != bytes {
		t.Errorf("%d allocations of %d bytes with the pool, %d of %d without", a, b, allocs, bytes)
	}
}
