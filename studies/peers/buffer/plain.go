package bufferpeers

import (
	"bytes"
	"sync"
)

// plain are the ways that need no library.
var plain = []Peer{
	{Name: "sync", New: func() Pool { return newSyncPool(0, false) }},
	{Name: "sync,cleared", Like: "sync", Clears: true, New: func() Pool { return newSyncPool(0, true) }},
	{Name: "sync,64KiB", New: func() Pool { return newSyncPool(64<<10, false) }},
	{Name: "bytesbuffer", New: func() Pool { return newBytesBuffers() }},
	{Name: "make", Clears: true, New: func() Pool { return newMake() }},
}

// syncPool is one sync.Pool of *[]byte for all sizes, as most programs have it:
// a buffer that is too small is replaced, the larger one is kept.
type syncPool struct {
	native[*[]byte]
	pool    sync.Pool
	most    int // larger ones are dropped; 0: none
	cleared bool
}

func newSyncPool(most int, cleared bool) *syncPool {
	p := &syncPool{most: most, cleared: cleared}
	p.pool.New = func() any { return new([]byte) }
	p.native = pointers(p.get, p.put)
	p.native.empty = func() *[]byte {
		b := p.pool.Get().(*[]byte)
		*b = (*b)[:0]
		return b
	}
	// A buffer grows as append makes it, and the former memory is garbage.
	p.native.write = func(b *[]byte, chunk []byte) *[]byte {
		*b = append(*b, chunk...)
		return b
	}
	return p
}

func (p *syncPool) get(size int) *[]byte {
	b := p.pool.Get().(*[]byte)
	if cap(*b) < size {
		*b = make([]byte, size)
	}
	*b = (*b)[:size]
	return b
}

func (p *syncPool) put(b *[]byte) {
	if p.most > 0 && cap(*b) > p.most {
		return
	}
	if p.cleared {
		clear(*b)
	}
	p.pool.Put(b)
}

func (p *syncPool) Pairs(size, n int) {
	for range n {
		b := p.pool.Get().(*[]byte)
		if cap(*b) < size {
			*b = make([]byte, size)
		}
		*b = (*b)[:size]
		touch(*b)
		if p.most > 0 && cap(*b) > p.most {
			continue
		}
		if p.cleared {
			clear(*b)
		}
		p.pool.Put(b)
	}
}

// bytesBuffers is a sync.Pool of *bytes.Buffer.
type bytesBuffers struct {
	native[*bytes.Buffer]
	pool sync.Pool
}

func newBytesBuffers() *bytesBuffers {
	p := &bytesBuffers{}
	p.pool.New = func() any { return new(bytes.Buffer) }
	p.native = native[*bytes.Buffer]{
		get: func(size int) *bytes.Buffer {
			b := p.pool.Get().(*bytes.Buffer)
			b.Reset()
			b.Grow(size)
			b.Write(b.AvailableBuffer()[:size])
			return b
		},
		empty: func() *bytes.Buffer {
			b := p.pool.Get().(*bytes.Buffer)
			b.Reset()
			return b
		},
		write: func(b *bytes.Buffer, chunk []byte) *bytes.Buffer {
			b.Write(chunk)
			return b
		},
		bytes: (*bytes.Buffer).Bytes,
		holds: (*bytes.Buffer).Cap,
		put:   func(b *bytes.Buffer) { p.pool.Put(b) },
	}
	return p
}

func (p *bytesBuffers) Pairs(size, n int) {
	for range n {
		b := p.pool.Get().(*bytes.Buffer)
		b.Reset()
		b.Grow(size)
		touch(b.AvailableBuffer()[:size])
		p.pool.Put(b)
	}
}

// makes is no pool at all.
type makes struct{ native[[]byte] }

func newMake() *makes {
	m := &makes{slices(func(size int) []byte { return make([]byte, size) }, func([]byte) {})}
	m.native.empty = func() []byte { return nil }
	m.native.write = func(b, chunk []byte) []byte { return append(b, chunk...) }
	return m
}

// escaped keeps the compiler from putting small buffers on the stack.
//
//go:noinline
func escaped(size int) []byte { return make([]byte, size) }

func (*makes) Pairs(size, n int) {
	for range n {
		touch(escaped(size))
	}
}
