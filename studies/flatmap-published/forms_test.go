package flatmappublished

import (
	"slices"
	"testing"

	flatmapslices "github.com/poolproof/poolproof/studies/flatmap-slices"
	"github.com/poolproof/poolproof/studies/internal/exact"
)

func TestAllFormsSendTheSameResults(t *testing.T) {
	for _, f := range forms {
		for range 2 { // the second run finds a used pool
			out := make(chan result, fan)
			f.form(out, 7)
			close(out)
			var got []result
			for r := range out {
				got = append(got, r)
			}
			want := []result{flatmapslices.Ok(35), flatmapslices.Ok(36), flatmapslices.Ok(37), flatmapslices.Ok(38), flatmapslices.Ok(39)}
			if !slices.Equal(got, want) {
				t.Errorf("%s sent %v, want %v", f.name, got, want)
			}
		}
		if got := Run(f.form); got != sum {
			t.Errorf("%s: sum %d, want %d", f.name, got, sum)
		}
	}
}

// Published were 3 allocations and 2464 to 2467 bytes an operation in all four
// forms. Ours are 3 and 2440: the channel's header and its 64 Results, which
// take 2416, and the goroutine's closure of 24. What the other 24 bytes were is
// not published. None of them belongs to an input: that makes the benchmark
// invalid.
func TestNoFormAllocatesForAnInput(t *testing.T) {
	for _, f := range forms {
		allocs, bytes := exact.Counters(t, func() { Run(f.form) })
		if allocs != 3 || bytes != 2440 {
			t.Errorf("%s: %d allocations and %d bytes, want 3 and 2440", f.name, allocs, bytes)
		}
	}
}
