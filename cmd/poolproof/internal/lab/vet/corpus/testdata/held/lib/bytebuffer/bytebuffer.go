// Package bytebuffer has buffers whose memory everybody may see.
package bytebuffer

import (
	"io"
	"sync"
)

// ByteBuffer is a slice with the methods of a writer.
type ByteBuffer struct{ B []byte }

func (b *ByteBuffer) Bytes() []byte { return b.B }

func (b *ByteBuffer) Len() int { return len(b.B) }

func (b *ByteBuffer) Write(p []byte) (int, error) {
	b.B = append(b.B, p...)
	return len(p), nil
}

func (b *ByteBuffer) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(b.B)
	return int64(n), err
}

func (b *ByteBuffer) Reset() { b.B = b.B[:0] }

func (b *ByteBuffer) String() string { return string(b.B) }

// Pool counts what it sees, and lets go what is too large.
type Pool struct {
	pool    sync.Pool
	largest int
}

func (p *Pool) Get() *ByteBuffer {
	if v := p.pool.Get(); v != nil {
		return v.(*ByteBuffer)
	}
	return &ByteBuffer{B: make([]byte, 0, 512)}
}

func (p *Pool) Put(b *ByteBuffer) {
	if p.largest == 0 || cap(b.B) <= p.largest {
		b.Reset()
		p.pool.Put(b)
	}
}

var shared = &Pool{largest: 1 << 20}

// Get returns an empty buffer.
func Get() *ByteBuffer { return shared.Get() }

// Put takes b back. Nil is nothing.
func Put(b *ByteBuffer) {
	if b != nil {
		shared.Put(b)
	}
}
