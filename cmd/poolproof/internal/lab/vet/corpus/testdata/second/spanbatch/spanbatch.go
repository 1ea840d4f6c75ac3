// Package spanbatch hands batches of spans to an exporter.
package spanbatch

import "sync"

// Span is a piece of work.
type Span struct{ Name string }

var batches = sync.Pool{New: func() any { b := make([]Span, 0, 128); return &b }}

// Exporter gets the batches.
type Exporter struct {
	ch   chan *[]Span
	done chan struct{}
}

// Start starts an exporter that calls send for each batch.
func Start(send func([]Span)) *Exporter {
	e := &Exporter{ch: make(chan *[]Span, 4), done: make(chan struct{})}
	go func() {
		defer close(e.done)
		for b := range e.ch {
			send(*b)
			clear(*b)
			*b = (*b)[:0]
			batches.Put(b)
		}
	}()
	return e
}

// Export collects the spans and sends them in batches.
func (e *Exporter) Export(spans []Span) {
	b := batches.Get().(*[]Span)
	for _, s := range spans {
		*b = append(*b, s)
		if len(*b) == cap(*b) {
			e.ch <- b
			b = batches.Get().(*[]Span)
		}
	}
	e.ch <- b
}

// Close waits for the exporter.
func (e *Exporter) Close() { close(e.ch); <-e.done }
