package harness

import (
	"io"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"

	arrowallocators "github.com/poolproof/poolproof/studies/arrow-allocators"
)

// begin prepares what a benchmark reports beside time and allocations, and
// returns the function that reports it after the last operation, given the
// output's size in bytes:
//
//	GC/op          collections an operation
//	gc-%CPU        share of the collector in the CPU time of the process
//	allocator-%B   share of the bytes that Arrow asks its allocator for, with
//	               the Go allocator: what other memory could save at most
//	held-B         bytes that the arm keeps and that no collection takes back
//	out-B          size of the output
//
// The first two count from the first operation in the process: a slice of a few
// operations sees no collection, or a whole one.
func begin(b *testing.B, w work, m arrowallocators.Memory) (report func(out int64)) {
	b.Helper()
	share, err := allocatorShare(w, m)
	if err != nil {
		b.Fatal(err)
	}
	before := startOf(b.Name())
	return func(out int64) {
		after, collected := readGC(), 0.0
		if used := after.used - before.used; used > 0 { // else there was no collection yet
			collected = 100 * (after.spent - before.spent) / used
		}
		before.operations += b.N
		b.ReportMetric(float64(after.cycles-before.cycles)/float64(before.operations), "GC/op")
		b.ReportMetric(collected, "gc-%CPU")
		b.ReportMetric(share, "allocator-%B")
		held := int64(0)
		if m.Held != nil {
			held = m.Held()
		}
		b.ReportMetric(float64(held), "held-B")
		b.ReportMetric(float64(out), "out-B")
	}
}

// gc is what the collector of the process has done so far. The runtime brings
// the times, in seconds of CPU, up to date at the end of each collection.
type gc struct {
	cycles      uint64
	spent, used float64
}

func readGC() gc {
	s := []metrics.Sample{
		{Name: "/gc/cycles/total:gc-cycles"},
		{Name: "/cpu/classes/gc/total:cpu-seconds"},
		{Name: "/cpu/classes/total:cpu-seconds"},
		{Name: "/cpu/classes/idle:cpu-seconds"},
	}
	metrics.Read(s)
	return gc{cycles: s[0].Value.Uint64(), spent: s[1].Value.Float64(), used: s[2].Value.Float64() - s[3].Value.Float64()}
}

// start is where the counting of a benchmark began, and how many operations
// were done since.
type start struct {
	gc
	operations int
}

var starts = map[string]*start{}

func startOf(benchmark string) *start {
	if starts[benchmark] == nil {
		starts[benchmark] = &start{gc: readGC()}
	}
	return starts[benchmark]
}

// shares holds what allocatorShare has measured.
var shares struct {
	sync.Mutex
	of map[share]float64
}

type share struct {
	work    string
	codec   bool // with encoders that are used again
	presize bool // with builders that reserve what they need
}

// allocatorShare measures a few operations as the arm does them but with the Go
// allocator: the share of their bytes for which Arrow asks the allocator, in
// percent. What the libraries' own pools have to make now and then does not
// count: there are no collections meanwhile, and the greatest share is taken.
func allocatorShare(w work, m arrowallocators.Memory) (float64, error) {
	shares.Lock()
	defer shares.Unlock()
	key := share{w.name, m.Codec != nil, m.Presize}
	if s, ok := shares.of[key]; ok {
		return s, nil
	}
	defer runtime.GC() // what was made here burdens nobody
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	greatest := 0.0
	for range 3 {
		count := &arrowallocators.Counting{Under: memory.NewGoAllocator()}
		m.Allocator = count
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := w.run(m, io.Discard); err != nil {
			return 0, err
		}
		runtime.ReadMemStats(&after)
		asked := float64(count.Bytes.Load())
		greatest = max(greatest, 100*asked/float64(after.TotalAlloc-before.TotalAlloc))
	}
	if shares.of == nil {
		shares.of = map[share]float64{}
	}
	shares.of[key] = greatest
	return greatest, nil
}
