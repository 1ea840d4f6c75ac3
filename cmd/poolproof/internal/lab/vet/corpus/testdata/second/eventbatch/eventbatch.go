// Package eventbatch collects events and hands them on in batches.
package eventbatch

import "sync"

// Event is one thing that happened.
type Event struct {
	Name string
	N    int
}

// Batcher is for one goroutine.
type Batcher struct {
	out   chan<- []Event
	batch *[]Event
}

var batches = sync.Pool{New: func() any { b := make([]Event, 0, 256); return &b }}

// New returns a batcher that sends to out.
func New(out chan<- []Event) *Batcher {
	return &Batcher{out: out, batch: batches.Get().(*[]Event)}
}

// Add adds an event.
func (b *Batcher) Add(e Event) {
	*b.batch = append(*b.batch, e)
	if len(*b.batch) == 256 {
		b.Flush()
	}
}

// Flush sends what there is.
func (b *Batcher) Flush() {
	if len(*b.batch) == 0 {
		return
	}
	full := b.batch
	b.batch = batches.Get().(*[]Event)
	b.out <- *full // want "PV004"
	*full = (*full)[:0]
	batches.Put(full)
}
