// Package classes selects pools by size, in the ways that are seen.
package classes

import (
	"math/bits"
	"sync"
)

// By the number of bits.
var byBits [20]sync.Pool

func get(n int) []byte {
	c := bits.Len(uint(n - 1))
	if c >= len(byBits) {
		return make([]byte, n)
	}
	if b, ok := byBits[c].Get().(*[]byte); ok {
		return (*b)[:n]
	}
	return make([]byte, n, 1<<c)
}

func put(b []byte) {
	c := bits.Len(uint(cap(b))) - 1
	if c < 0 || c >= len(byBits) {
		return
	}
	b = b[:0]
	byBits[c].Put(&b) //poolproof:ignore PV008 a header each time is what this wrapper costs
}

// By a switch.
var (
	pool1k  = sync.Pool{New: func() any { return new([1 << 10]byte) }}
	pool16k = sync.Pool{New: func() any { return new([16 << 10]byte) }}
)

func alloc(n int) []byte {
	switch {
	case n <= 1<<10:
		return pool1k.Get().(*[1 << 10]byte)[:n]
	case n <= 16<<10:
		return pool16k.Get().(*[16 << 10]byte)[:n]
	}
	return make([]byte, n)
}

func free(b []byte) {
	b = b[:cap(b)]
	switch len(b) {
	case 1 << 10:
		pool1k.Put((*[1 << 10]byte)(b))
	case 16 << 10:
		pool16k.Put((*[16 << 10]byte)(b))
	}
}

// By a search in a sorted list.
type class struct {
	size int
	pool sync.Pool
}

var sorted = []*class{newClass(256), newClass(4096), newClass(65536)}

func newClass(size int) *class {
	return &class{size: size, pool: sync.Pool{New: func() any {
		return &Buf{B: make([]byte, size)}
	}}}
}

// Buf is a buffer that knows its class.
type Buf struct {
	B     []byte
	class *class
}

func find(n int) *Buf {
	for _, c := range sorted {
		if c.size >= n {
			b := c.pool.Get().(*Buf)
			b.class = c
			b.B = b.B[:n]
			return b
		}
	}
	return &Buf{B: make([]byte, n)}
}

func (b *Buf) Release() {
	if b.class != nil {
		b.class.pool.Put(b)
	}
}

// With a function that gives back.
func take(n int) ([]byte, func()) {
	p := classOf(n)
	b := p.Get().(*[]byte)
	return (*b)[:0], func() { p.Put(b) }
}

var lows, highs = newSlices(1 << 10), newSlices(1 << 16)

func newSlices(n int) *sync.Pool {
	return &sync.Pool{New: func() any {
		b := make([]byte, 0, n)
		return &b
	}}
}

func classOf(n int) *sync.Pool {
	if n <= 1<<10 {
		return lows
	}
	return highs
}

// sized is a generic one.
type sized[T any] struct {
	pools map[int]*sync.Pool
	mu    sync.Mutex
}

func (s *sized[T]) of(n int) *sync.Pool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pools[n]
	if p == nil {
		p = &sync.Pool{New: func() any { return make([]T, n) }}
		s.pools[n] = p
	}
	return p
}

func (s *sized[T]) Get(n int) []T { return s.of(n).Get().([]T) }

func (s *sized[T]) Put(v []T) {
	clear(v)
	s.of(cap(v)).Put(v[:cap(v)]) //poolproof:ignore PV008 a corpus of wrappers
}

var floats = sized[float64]{pools: make(map[int]*sync.Pool)}
