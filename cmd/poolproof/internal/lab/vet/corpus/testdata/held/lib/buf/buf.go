// Package buf has buffers of one size, which proxies hand from one to the next.
package buf

import (
	"io"
	"sync"
)

const size = 8 << 10

var blocks = sync.Pool{New: func() any { return new([size]byte) }}

// Buffer is a window on a block of the pool.
type Buffer struct {
	block      *[size]byte
	start, end int
}

// New returns an empty buffer, which its owner has to release.
func New() *Buffer { return &Buffer{block: blocks.Get().(*[size]byte)} }

// Release gives the block back. It may be called for nil, and again.
func (b *Buffer) Release() {
	if b == nil || b.block == nil {
		return
	}
	p := b.block
	b.block = nil
	b.start, b.end = 0, 0
	blocks.Put(p)
}

func (b *Buffer) Bytes() []byte { return b.block[b.start:b.end] }

func (b *Buffer) Len() int { return b.end - b.start }

func (b *Buffer) Clear() { b.start, b.end = 0, 0 }

// Extend makes room for n bytes at the end.
func (b *Buffer) Extend(n int) []byte {
	b.end += n
	return b.block[b.end-n : b.end]
}

func (b *Buffer) Write(p []byte) (int, error) {
	n := copy(b.block[b.end:], p)
	b.end += n
	return n, nil
}

// ReadFullFrom reads n bytes.
func (b *Buffer) ReadFullFrom(r io.Reader, n int) (int, error) {
	got, err := io.ReadFull(r, b.block[b.end:b.end+n])
	b.end += got
	return got, err
}

// Multi is several buffers, one after the other.
type Multi []*Buffer

// ReleaseMulti releases all of them.
func ReleaseMulti(m Multi) Multi {
	for i := range m {
		m[i].Release()
		m[i] = nil
	}
	return m[:0]
}
