package mdnsreceive

import (
	"sync"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// TestASliceThatIsPutByValueIsNotLost is about the published claim that a pool of
// []byte in place of *[]byte leaks, because another slice header comes back. A header
// is copied into an interface: that costs an allocation of 24 bytes for each Put,
// and the array is the same.
func TestASliceThatIsPutByValueIsNotLost(t *testing.T) {
	made := 0
	pool := sync.Pool{New: func() any { made++; return make([]byte, BufferSize) }}
	allocs, bytes := exact.Counters(t, func() {
		b := pool.Get().([]byte)
		//lint:ignore SA6002 the claim is about this
		pool.Put(b)
	})
	if allocs != 1 || bytes != 24 || made != 1 {
		t.Errorf("%d allocations of %d bytes a use and %d arrays in all, want 1 of 24 and 1", allocs, bytes, made)
	}
}
