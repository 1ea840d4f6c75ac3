package arrowallocators

import (
	"io"
	"math"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// operations are the benchmarks' operations.
func operations(t *testing.T, w workload) map[string]func(mem memory.Allocator) error {
	temp := t.TempDir()
	return map[string]func(mem memory.Allocator) error{
		"rows": func(mem memory.Allocator) error {
			r, err := BuildRows(mem, w.rows, Reserved)
			if err == nil {
				r.Release()
			}
			return err
		},
		"record":  func(mem memory.Allocator) error { BuildCells(mem, w.cells).Release(); return nil },
		"ipc":     func(mem memory.Allocator) error { return WriteIPC(io.Discard, w.cells, mem, false) },
		"parquet": func(mem memory.Allocator) error { return WriteParquet(io.Discard, w.record, mem) },
		"path": func(mem memory.Allocator) error {
			_, err := WritePath(io.Discard, w.rows, Memory{Allocator: mem}, temp)
			return err
		},
		"presized": func(mem memory.Allocator) error {
			_, err := WritePath(io.Discard, w.rows, Memory{Allocator: mem, Presize: true}, temp)
			return err
		},
	}
}

// What reaches the allocator does not depend on it. Of a batch like this one it
// was published that about 87,000 allocations of builders are its cost; the path
// makes 241 Allocate and 258 Reallocate: those of the record, and an Allocate for
// each buffer that the new builders reserve. They are under 2 % of the objects that
// the path makes (TestTheHeapCountersOfAnOperation).
func TestWhatReachesTheAllocatorIsExact(t *testing.T) {
	type calls struct{ allocates, reallocates, bytes int64 }
	run := operations(t, newWorkload(t))
	for name, want := range map[string]calls{
		"rows":    {137, 258, 5_386_112}, // 10,000 values are reserved for 900
		"record":  {137, 254, 1_407_872},
		"ipc":     {139, 254, 1_413_952},
		"parquet": {222, 385, 1_193_984},
		"path":    {137 + 104, 258, 5_386_112 + 4_245_568},
		// With room for what the batch holds: the record of rows is that of cells.
		"presized": {137 + 104, 254, 1_407_872 + 267_328},
	} {
		t.Run(name, func(t *testing.T) {
			count := &Counting{Under: memory.NewGoAllocator()}
			if err := run[name](count); err != nil {
				t.Fatal(err)
			}
			if got := (calls{count.Allocates.Load(), count.Reallocates.Load(), count.Bytes.Load()}); got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
		})
	}
}

// The Parquet writer takes some buffers from arrow-go's default allocator,
// whichever it is given, and does not free them: with memory that is not the
// collector's, as the default, each file would be a leak. So no arm replaces
// the default.
func TestTheParquetWriterDropsBuffersOfTheDefaultAllocator(t *testing.T) {
	w := newWorkload(t)
	before := memory.DefaultAllocator
	defer func() { memory.DefaultAllocator = before }()
	own := NewLists()
	memory.DefaultAllocator = own
	const files, atLeast = 10, 200_000 // bytes a file; more, as the writer's own pools go
	for range files {
		if err := WriteParquet(io.Discard, w.record, memory.NewGoAllocator()); err != nil {
			t.Fatal(err)
		}
	}
	if own.Out() < files*atLeast {
		t.Errorf("%d bytes of %d files were not freed; where it is mended, the arms may replace the default too", own.Out(), files)
	}
}

// The heap's share of an operation: exact where the operation only makes
// memory, within 1 % where maps and pools of the libraries are in it, whose
// sizes differ between versions of Go.
func TestTheHeapCountersOfAnOperation(t *testing.T) {
	run := operations(t, newWorkload(t))
	type heap struct{ allocs, bytes uint64 }
	for name, want := range map[string]struct {
		plain, recycled heap // with the Go allocator, and with each that recycles
		tolerance       float64
	}{
		"record":   {heap{923, 1_668_176}, heap{547, 37_392}, 0},
		"ipc":      {heap{1_091, 1_721_592}, heap{713, 84_536}, 0},
		"rows":     {heap{1_039, 6_069_232}, heap{663, 100_784}, 0.01},
		"parquet":  {heap{30_483, 5_219_064}, heap{29_876, 3_856_056}, 0.01},
		"path":     {heap{31_983, 15_961_720}, heap{31_503, 5_342_264}, 0.01},
		"presized": {heap{31_983, 7_286_392}, heap{31_503, 5_342_264}, 0.01},
	} {
		for _, arm := range []string{"go", "recycle", "syncpool", "offheap"} {
			t.Run(name+"/"+arm, func(t *testing.T) {
				a, err := ArmNamed(arm)
				if err != nil {
					t.Fatal(err)
				}
				m := opened(t, a)
				heap := want.recycled
				if arm == "go" {
					heap = want.plain
				}
				allocs, bytes := exact.Counters(t, func() {
					if err := run[name](m); err != nil {
						t.Fatal(err)
					}
				})
				if !near(allocs, heap.allocs, want.tolerance) || !near(bytes, heap.bytes, want.tolerance) {
					t.Errorf("%d allocations of %d bytes, want %d of %d", allocs, bytes, heap.allocs, heap.bytes)
				}
			})
		}
	}
}

func near(got, want uint64, tolerance float64) bool {
	return math.Abs(float64(got)-float64(want)) <= tolerance*float64(want)
}
