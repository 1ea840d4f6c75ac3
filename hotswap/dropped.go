package hotswap

import (
	"runtime"
	"sync/atomic"
	"time"
	"weak"
)

// watched is the argument of the cleanup of a traced Container. It refers
// neither to the container nor to the pool: a pool that is dropped together with
// its containers has lost nothing.
type watched struct {
	tracer weak.Pointer[tracer]
	record *record
	full   *atomic.Bool // the container has a current value
}

// watch makes the tracer of c's pool, if it has one, report c when it is dropped
// with a current value.
func (c *Container[T]) watch() {
	if c.pool.tracer == nil {
		return
	}
	r := &record{kind: kindContainer, since: time.Now(), stack: callers()}
	c.cell.Full = new(atomic.Bool)
	runtime.AddCleanup(c, watched.dropped, watched{weak.Make(c.pool.tracer), r, c.cell.Full})
}

// dropped is called when the container was collected. Its value stays current, as
// without a tracer, and its record is listed as long as the pool lives.
func (w watched) dropped() {
	tr := w.tracer.Value()
	if tr == nil || !w.full.Load() {
		return
	}
	tr.mu.Lock()
	tr.seq++
	w.record.seq, w.record.leaked = tr.seq, true
	tr.held[w.record] = struct{}{}
	tr.mu.Unlock()
	tr.book.dropped(w.record)
	if tr.onLeak != nil {
		tr.onLeak(w.record.holder())
	}
}
