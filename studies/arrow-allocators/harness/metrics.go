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
//	allocator-B    bytes that Arrow asks its allocator for in an operation
//	held-B         bytes that the arm keeps and that no collection takes back
//	out-B          size of the output
//	logs/cpu-s     rows a second of CPU time, of all threads of the process; on
//	               Unix systems
//
// The first two count from the first operation in the process: a burst of a few
// operations sees no collection, or a whole one. A path that is not the published
// one asks other libraries for memory, and has no figures of the allocator.
func begin(b *testing.B, w work, m arrowallocators.Memory) (report func(out int64)) {
	b.Helper()
	asked, err := askedOf(w, m)
	if err != nil {
		b.Fatal(err)
	}
	before := startOf(b.Name())
	used, known := cpuTime()
	return func(out int64) {
		after, collected := readGC(), 0.0
		if used := after.used - before.used; used > 0 { // else there was no collection yet
			collected = 100 * (after.spent - before.spent) / used
		}
		before.operations += b.N
		b.ReportMetric(float64(after.cycles-before.cycles)/float64(before.operations), "GC/op")
		b.ReportMetric(collected, "gc-%CPU")
		if m.Path == nil {
			b.ReportMetric(asked.share, "allocator-%B")
			b.ReportMetric(asked.bytes, "allocator-B")
		}
		if now, _ := cpuTime(); known && now > used {
			b.ReportMetric(float64(w.rows)*float64(b.N)/(now-used).Seconds(), "logs/cpu-s")
		}
		held := int64(0)
		if m.Held != nil {
			held = m.Held()
		}
		b.ReportMetric(float64(held), "held-B")
		b.ReportMetric(float64(out), "out-B")
	}
}

// gc holds the work of the process's collector so far. The runtime brings
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

// asked is an operation's demand on Arrow's allocator: bytes, and their share of
// all that it allocates on the Go heap, in percent.
type asked struct{ bytes, share float64 }

// measured holds what askedOf has measured.
var measured struct {
	sync.Mutex
	of map[way]asked
}

// way decides how much an operation asks for.
type way struct {
	work    string
	codec   bool // with encoders that are used again
	presize bool // with builders that reserve what they need
}

// askedOf measures a few operations as the arm does them but with the Go
// allocator. What the libraries' own pools have to make now and then does not
// count: there are no collections meanwhile, and the greatest share is taken.
func askedOf(w work, m arrowallocators.Memory) (asked, error) {
	if m.Path != nil {
		return asked{}, nil
	}
	measured.Lock()
	defer measured.Unlock()
	key := way{w.name, m.Codec != nil, m.Presize}
	if a, ok := measured.of[key]; ok {
		return a, nil
	}
	defer runtime.GC() // what was made here burdens no operation that is measured
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	var greatest asked
	for range 3 {
		count := &arrowallocators.Counting{Under: memory.NewGoAllocator()}
		m.Allocator = count
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if err := w.run(m, io.Discard); err != nil {
			return asked{}, err
		}
		runtime.ReadMemStats(&after)
		bytes := float64(count.Bytes.Load())
		if share := 100 * bytes / float64(after.TotalAlloc-before.TotalAlloc); share > greatest.share {
			greatest = asked{bytes, share}
		}
	}
	if measured.of == nil {
		measured.of = map[way]asked{}
	}
	measured.of[key] = greatest
	return greatest, nil
}
