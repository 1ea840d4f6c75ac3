// Package metricsexp writes counters in the text format that scrapers read.
package metricsexp

import (
	"bufio"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

var writers = sync.Pool{New: func() any { return bufio.NewWriterSize(nil, 1<<13) }}

// Registry holds counters by name.
type Registry struct {
	mu       sync.Mutex
	counters map[string]uint64
}

// Add adds n to a counter.
func (r *Registry) Add(name string, n uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.counters == nil {
		r.counters = make(map[string]uint64)
	}
	r.counters[name] += n
}

func (r *Registry) snapshot() map[string]uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.counters)
}

func (r *Registry) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	r.write(w)
}

func (r *Registry) write(w io.Writer) {
	all := r.snapshot()
	bw := writers.Get().(*bufio.Writer)
	bw.Reset(w)
	defer bw.Flush() // want PV001
	defer writers.Put(bw)

	for _, name := range slices.Sorted(maps.Keys(all)) {
		bw.WriteString("# TYPE ")
		bw.WriteString(name)
		bw.WriteString(" counter\n")
		bw.WriteString(name)
		bw.WriteByte(' ')
		bw.Write(strconv.AppendUint(bw.AvailableBuffer(), all[name], 10))
		bw.WriteByte('\n')
	}
}
