package arrow1841

import (
	"errors"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/memory"

	arrowallocators "github.com/poolproof/poolproof/studies/arrow-allocators"
	"github.com/poolproof/poolproof/studies/internal/exact"
)

func TestTheVersionIsThePublishedOne(t *testing.T) {
	if arrow.PkgVersion != "18.4.1" {
		t.Errorf("arrow-go %s, want 18.4.1: see the replacement in go.mod", arrow.PkgVersion)
	}
}

// Published were 200 MB and 87,739 allocations an operation, of private data.
// Of data of the same shape, with one processor, others found 180 MB and 60,240
// allocations, and 91 % of the bytes in zstd encoders. An encoder is made for
// each page, with an inner one for each processor: with two it is 310 MB.
func TestThePublishedPathMakesAnEncoderForEachPage(t *testing.T) {
	if exact.RaceDetector {
		t.Skip("the counters are those of a normal build")
	}
	rows := arrowallocators.NewRows(arrowallocators.BatchRows, 1)
	path := func() error {
		_, err := arrowallocators.WritePath(io.Discard, rows, arrowallocators.Memory{Allocator: memory.NewGoAllocator()}, t.TempDir())
		return err
	}
	allocs, perPage := heap(t, 1, path)
	if perPage < 170e6 || perPage > 190e6 || allocs < 58_000 || allocs > 66_000 {
		t.Errorf("%d bytes in %d allocations, want about 180 MB in 61,000", perPage, allocs)
	}
	if _, two := heap(t, 2, path); two < 290e6 || two > 330e6 {
		t.Errorf("%d bytes with two processors, want about 310 MB", two)
	}

	codec, err := arrowallocators.NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	defer codec.Register()()
	_, kept := heap(t, 1, path)
	if encoders := float64(perPage-kept) / float64(perPage); encoders < 0.9 || encoders > 0.94 {
		t.Errorf("keeping the encoders saves %.1f %% of the bytes, want 90 to 94 %%", 100*encoders)
	}
	if codec.Made() != 1 {
		t.Errorf("%d encoders were made, want 1", codec.Made())
	}

	count := &arrowallocators.Counting{Under: memory.NewGoAllocator()}
	if _, err := arrowallocators.WritePath(io.Discard, rows, arrowallocators.Memory{Allocator: count}, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	if share := float64(count.Bytes.Load()) / float64(perPage); share > 0.06 {
		t.Errorf("%.1f %% of the bytes reach the allocator, want 6 %% at most", 100*share)
	}
}

// With memory outside of the Go heap the live heap is smaller and its goal
// lower, so that the same encoders are collected more often: half as often
// again. What a recycler keeps on the Go heap has the opposite effect.
func TestMemoryOutsideOfTheHeapMakesTheCollectorRunMoreOften(t *testing.T) {
	if exact.RaceDetector || testing.Short() {
		t.Skip("the collections are those of a normal build, and take a second or two")
	}
	rows := arrowallocators.NewRows(arrowallocators.BatchRows, 1)
	collections := func(arm string) float64 {
		a, err := arrowallocators.ArmNamed(arm)
		if err != nil {
			t.Fatal(err)
		}
		m, err := a.Open()
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		defer debug.SetGCPercent(debug.SetGCPercent(100))
		const files = 10
		var before, after runtime.MemStats
		for i := range 2 * files { // the first half fills the pool and settles the goal
			if i == files {
				runtime.ReadMemStats(&before)
			}
			if _, err := arrowallocators.WritePath(io.Discard, rows, m, t.TempDir()); err != nil {
				t.Fatal(err)
			}
		}
		runtime.ReadMemStats(&after)
		return float64(after.NumGC-before.NumGC) / files
	}
	// How much is allocated while a collection runs depends on the machine, too: the
	// median of five turns counts.
	const turns = 5
	of := map[string][]float64{}
	for range turns {
		for _, arm := range []string{"go", "offheap", "recycle"} {
			of[arm] = append(of[arm], collections(arm))
		}
	}
	median := func(arm string) float64 { slices.Sort(of[arm]); return of[arm][turns/2] }
	if plain, offheap, recycle := median("go"), median("offheap"), median("recycle"); offheap < 1.25*plain || recycle > plain {
		t.Errorf("collections a file: %.1f with the Go allocator, %.1f outside of the heap, %.1f recycled; of turns %v", plain, offheap, recycle, of)
	}
}

// heap returns what the second of two calls of run allocates on the Go heap,
// with a number of processors.
func heap(t *testing.T, processors int, run func() error) (allocs, bytes uint64) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(processors))
	defer debug.FreeOSMemory()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var before, after runtime.MemStats
	for range 2 {
		runtime.ReadMemStats(&before)
		if err := run(); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
	}
	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}
