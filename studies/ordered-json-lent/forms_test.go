package orderedjsonlent

import (
	"io"
	"strings"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// TestFormsAgree holds the forms together: each lends an empty buffer once. It
// runs before anything is timed.
func TestFormsAgree(t *testing.T) {
	defer func(f func(io.Writer)) { write = f }(write)
	var lent int
	write = func(w io.Writer) {
		io.WriteString(w, payload)
		lent++
	}
	for _, f := range forms {
		lent = 0
		for range 3 { // the later ones find a used pool
			if n := f.run(); n != len(payload) {
				t.Errorf("%s: %d bytes, want %d", f.name, n, len(payload))
			}
		}
		if lent != 3 {
			t.Errorf("%s lends %d buffers in 3 runs", f.name, lent)
		}
	}
}

func TestEachFormTakesMoreThanItHasAtFirst(t *testing.T) {
	defer func(f func(io.Writer)) { write = f }(write)
	write = func(w io.Writer) { io.WriteString(w, strings.Repeat("x", 3*size)) }
	for _, f := range forms {
		if n := f.run(); n != 3*size {
			t.Errorf("%s: %d bytes, want %d", f.name, n, 3*size)
		}
	}
}

// Published were 2 allocations and 4.0 KiB for the form without a pool, and
// none with it. So are ours: 4096 bytes, and 40 for the header in a size class
// of 48. The plain form takes 64 bytes for its first 59, in place of 4096.
func TestCountersAreExact(t *testing.T) {
	const runs = 100
	want := map[string][2]uint64{"fresh": {2, 4096 + 48}, "pool": {0, 0}, "zero": {2, 64 + 48}}
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
