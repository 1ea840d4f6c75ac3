package orderedjsonpublished

import (
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

func TestFormsAgree(t *testing.T) {
	for _, f := range forms {
		for range 3 { // the later ones find a used pool
			if n := f.run(); n != len(payload) {
				t.Errorf("%s: %d bytes, want %d", f.name, n, len(payload))
			}
		}
	}
}

// Published were 2 allocations and 4.0 KiB for the form without a pool, and
// none with it. Ours are none in both, since Go 1.26 keeps the buffer on the
// stack; only the plain form takes 64 bytes from the heap, which bytes.Buffer
// makes itself. That makes the benchmark invalid.
func TestThePublishedFormDoesNotAllocate(t *testing.T) {
	const runs = 100
	want := map[string][2]uint64{"fresh": {0, 0}, "pool": {0, 0}, "zero": {1, 64}}
	for _, f := range forms {
		allocs, bytes := exact.Counters(t, func() {
			for range runs {
				f.run()
			}
		})
		if w := want[f.name]; allocs != runs*w[0] || bytes != runs*w[1] {
			t.Errorf("%s: %d allocations and %d bytes in %d runs, want %d and %d in each", f.name, allocs, bytes, runs, w[0], w[1])
		}
	}
}

// The pool must be hit, and must not grow what it keeps.
func TestThePoolGivesTheSameBufferAgain(t *testing.T) {
	exact.Pools(t)
	b := buffers.Get()
	buffers.Put(b)
	Pool()
	if again := buffers.Get(); again != b || again.Len() != 0 || again.Cap() != 4096 {
		t.Errorf("the next user finds another buffer, or not an empty one of 4096 bytes, but %d of %d", again.Len(), again.Cap())
	}
}
