package harness

import (
	"io"
	"runtime"
	"runtime/metrics"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/memory"

	arrowallocators "github.com/poolproof/poolproof/studies/arrow-allocators"
)

// begin prepares what a benchmark reports beside time and allocations, and
// returns the function that reports it, given the output's size in bytes:
//
//	gc-%CPU        share of the collector in the CPU time of the process
//	allocator-%B   share of the bytes that Arrow asks its allocator for, with
//	               the Go allocator: what other memory could save at most
//	held-B         bytes that the arm keeps and that no collection takes back
//	out-B          size of the output
func begin(b *testing.B, w work, m arrowallocators.Memory) (report func(out int64)) {
	b.Helper()
	share, err := allocatorShare(w, m)
	if err != nil {
		b.Fatal(err)
	}
	before := start(b.Name())
	return func(out int64) {
		after, collected := readCPU(), 0.0
		if used := after.used - before.used; used > 0 { // else there was no collection yet
			collected = 100 * (after.gc - before.gc) / used
		}
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

// cpu is CPU time of the process in seconds, as the runtime estimates it at
// the end of each collection.
type cpu struct{ gc, used float64 }

func readCPU() cpu {
	s := []metrics.Sample{
		{Name: "/cpu/classes/gc/total:cpu-seconds"},
		{Name: "/cpu/classes/total:cpu-seconds"},
		{Name: "/cpu/classes/idle:cpu-seconds"},
	}
	metrics.Read(s)
	return cpu{gc: s[0].Value.Float64(), used: s[1].Value.Float64() - s[2].Value.Float64()}
}

// starts holds where the share of the collector is counted from. Between two
// collections the runtime's estimates stand still, so a short slice could not
// be counted alone: each counts from the first slice of the process.
var starts sync.Map

func start(benchmark string) cpu {
	at, _ := starts.LoadOrStore(benchmark, readCPU())
	return at.(cpu)
}

// shares holds what allocatorShare has measured.
var shares struct {
	sync.Mutex
	of map[share]float64
}

type share struct {
	work    string
	codec   bool // with encoders that are used again
	presize bool
}

// allocatorShare measures one operation, the second, as the arm does it but
// with the Go allocator: the share of its bytes for which Arrow asks the
// allocator, in percent.
func allocatorShare(w work, m arrowallocators.Memory) (float64, error) {
	shares.Lock()
	defer shares.Unlock()
	key := share{w.name, m.Codec != nil, m.Presize}
	if s, ok := shares.of[key]; ok {
		return s, nil
	}
	count := &arrowallocators.Counting{Under: memory.NewGoAllocator()}
	m.Allocator = count
	if err := w.run(m, io.Discard); err != nil {
		return 0, err
	}
	var before, after runtime.MemStats
	asked := -count.Bytes.Load()
	runtime.ReadMemStats(&before)
	if err := w.run(m, io.Discard); err != nil {
		return 0, err
	}
	runtime.ReadMemStats(&after)
	asked += count.Bytes.Load()
	if shares.of == nil {
		shares.of = map[share]float64{}
	}
	shares.of[key] = 100 * float64(asked) / float64(after.TotalAlloc-before.TotalAlloc)
	return shares.of[key], nil
}
