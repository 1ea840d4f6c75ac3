package mdnsreceive

import (
	"bytes"
	"context"
	"sync"
	"time"
)

// bufferPool keeps buffers that wait for their next use.
type bufferPool struct {
	buffers sync.Pool
	clean   func(buf []byte, used int) // called by put; used bytes from the front were written to
}

func newBufferPool(clean func(buf []byte, used int)) *bufferPool {
	return &bufferPool{clean: clean, buffers: sync.Pool{New: func() any {
		buf := newBuffer()
		return &buf
	}}}
}

// get returns a buffer of BufferSize bytes, the caller's until it is put.
func (p *bufferPool) get() *[]byte { return p.buffers.Get().(*[]byte) }

// put gives buf up, of which used bytes were written to.
func (p *bufferPool) put(buf *[]byte, used int) {
	p.clean(*buf, used)
	p.buffers.Put(buf)
}

// One pool for each way of cleaning serves the whole process, as the published
// one does.
var (
	cleared     = newBufferPool(clearAll)
	uncleared   = newBufferPool(clearNothing)
	usedCleared = newBufferPool(clearUsed)
)

// clearAll clears all 9000 bytes, as published.
func clearAll(buf []byte, _ int) { clear(buf) }

func clearNothing([]byte, int) {}

// clearUsed clears what was written to. The rest is zero since the buffer was
// made.
func clearUsed(buf []byte, used int) { clear(buf[:used]) }

// Pool is the published way: the buffer comes from a pool, the caller gets a
// copy of what was received, the buffer goes back. The packet is its caller's.
type Pool struct {
	c       *Conn
	buffers *bufferPool
}

// NewPool returns the arm pool. Any number of goroutines may use it.
func NewPool(c *Conn) *Pool { return &Pool{c, cleared} }

// NewPoolNoClear returns the arm noclear: buffers are put as they are.
func NewPoolNoClear(c *Conn) *Pool { return &Pool{c, uncleared} }

// NewPoolClearUsed returns the arm used: only what was received is cleared.
func NewPoolClearUsed(c *Conn) *Pool { return &Pool{c, usedCleared} }

// Next returns the next packet.
func (p *Pool) Next(ctx context.Context) (Packet, error) {
	if err := p.c.Obey(ctx); err != nil {
		return Packet{}, err
	}
	buf := p.buffers.get()
	n, src, ifIndex, err := p.c.ReadFrom(*buf)
	if err != nil {
		p.buffers.put(buf, 0)
		return Packet{}, &ReceiveError{"receive", err, "no packet"}
	}
	data := bytes.Clone((*buf)[:n])
	p.buffers.put(buf, n)
	return Packet{Data: data, Src: src, IfIndex: ifIndex}, nil
}

// Receive implements Receiver.
func (p *Pool) Receive(n int, deliver func(Packet)) (int, error) {
	return each(n, deliver, p.Next)
}

// Querier is the arm querier: Pool, called as the published querier calls it,
// with a context of its own and a timeout for each packet. The packet is its
// caller's.
type Querier struct{ pool *Pool }

// NewQuerier returns a Receiver that any number of goroutines may use.
func NewQuerier(c *Conn) *Querier { return &Querier{NewPool(c)} }

// poll is the timeout of each call.
const poll = time.Second

// Next returns the next packet, or an error if none comes within poll.
func (q *Querier) Next(ctx context.Context) (Packet, error) {
	ctx, cancel := context.WithTimeout(ctx, poll)
	defer cancel()
	return q.pool.Next(ctx)
}

// Receive implements Receiver.
func (q *Querier) Receive(n int, deliver func(Packet)) (int, error) {
	return each(n, deliver, q.Next)
}
