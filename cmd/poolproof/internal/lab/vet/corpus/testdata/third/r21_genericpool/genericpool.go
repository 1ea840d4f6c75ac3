// Package genericpool exports finished spans of a tracer, with a typed pool for them.
package genericpool

import (
	"encoding/json"
	"io"
	"sync"
	"time"
)

// Pool is a typed pool.
type Pool[T any] struct {
	p     sync.Pool
	reset func(*T)
}

// NewPool returns a pool whose objects are cleaned by reset.
func NewPool[T any](reset func(*T)) *Pool[T] {
	return &Pool[T]{p: sync.Pool{New: func() any { return new(T) }}, reset: reset}
}

// Get returns an object.
func (p *Pool[T]) Get() *T { return p.p.Get().(*T) }

// Put takes one back.
func (p *Pool[T]) Put(x *T) {
	p.reset(x)
	p.p.Put(x)
}

type span struct {
	Name    string        `json:"name"`
	Start   time.Time     `json:"start"`
	Took    time.Duration `json:"took"`
	sampled bool
}

var spans = NewPool(func(s *span) { *s = span{} })

// Exporter writes spans.
type Exporter struct {
	mu      sync.Mutex
	enc     *json.Encoder
	dropped int
}

// NewExporter writes to w.
func NewExporter(w io.Writer) *Exporter { return &Exporter{enc: json.NewEncoder(w)} }

func (e *Exporter) finish(s *span) error {
	defer spans.Put(s)
	e.mu.Lock()
	defer e.mu.Unlock()
	if !s.sampled {
		e.dropped++
		return nil
	}
	return e.enc.Encode(s)
}

// Trace runs f in a span.
func (e *Exporter) Trace(name string, sampled bool, f func()) error {
	s := spans.Get()
	s.Name, s.Start, s.sampled = name, time.Now(), sampled
	f()
	s.Took = time.Since(s.Start)
	return e.finish(s)
}
