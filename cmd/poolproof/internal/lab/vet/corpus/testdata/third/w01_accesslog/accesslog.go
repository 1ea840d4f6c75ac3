// Package accesslog is a middleware that writes one line for each request, and sends one in some
// thousands to a collector.
package accesslog

import (
	"fmt"
	"log"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

type entry struct {
	method, path, agent string
	status              int
	took                time.Duration
}

func (e *entry) String() string {
	return fmt.Sprintf("%s %s %d %v %q", e.method, e.path, e.status, e.took, e.agent)
}

var entries = sync.Pool{New: func() any { return new(entry) }}

// A Collector takes sampled lines. It may be slow.
type Collector interface {
	Collect(line string) error
}

// Middleware logs what Next serves.
type Middleware struct {
	Next http.Handler
	Out  *log.Logger
	Sink Collector

	served atomic.Uint64
}

type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(code int) {
	w.status = code
	w.ResponseWriter.WriteHeader(code)
}

func (m *Middleware) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e := entries.Get().(*entry)
	defer entries.Put(e)

	start := time.Now()
	sw := &statusWriter{w, http.StatusOK}
	m.Next.ServeHTTP(sw, r)
	*e = entry{r.Method, r.URL.Path, r.UserAgent(), sw.status, time.Since(start)}
	m.Out.Print(e.String())
	if m.served.Add(1)%4096 == 0 {
		go m.sample(e) // want PV004
	}
}

func (m *Middleware) sample(e *entry) {
	if err := m.Sink.Collect(e.String()); err != nil {
		m.Out.Printf("sample: %v", err)
	}
}
