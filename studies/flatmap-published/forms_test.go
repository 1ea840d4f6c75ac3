package flatmappublished

import (
	"math"
	"math/bits"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	flatmapslices "github.com/poolproof/poolproof/studies/flatmap-slices"
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
	if raceDetector || bits.UintSize != 64 {
		t.Skip("the counters are those of a normal build for a 64-bit machine")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, f := range forms {
		allocs, bytes := uint64(math.MaxUint64), uint64(math.MaxUint64)
		for range 5 { // the least of them, so that the runtime's own allocations do not count
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			Run(f.form)
			runtime.ReadMemStats(&after)
			allocs = min(allocs, after.Mallocs-before.Mallocs)
			bytes = min(bytes, after.TotalAlloc-before.TotalAlloc)
		}
		if allocs != 3 || bytes != 2440 {
			t.Errorf("%s: %d allocations and %d bytes, want 3 and 2440", f.name, allocs, bytes)
		}
	}
}
