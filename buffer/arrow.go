package buffer

// Arrow returns p as the interface Allocator of
// github.com/apache/arrow-go/v18/arrow/memory. Memory begins at a multiple of 64
// bytes, as Arrow wants it, is zero over the size that was asked and the padding
// to the next multiple of 64, and has the capacity of its class, so that
// Reallocate often has nothing to do.
func (p *Pool) Arrow() ArrowAllocator { return ArrowAllocator{p} }

// ArrowAllocator is a memory.Allocator. It is made by [Pool.Arrow], and safe for
// concurrent use; the methods of the zero value panic and say so.
type ArrowAllocator struct{ pool *Pool }

// set returns the set that a hands out from.
func (a ArrowAllocator) set() *set {
	if a.pool == nil {
		panic("buffer: use of an ArrowAllocator that was not made by Pool.Arrow")
	}
	return &a.pool.plain
}

// Allocate returns size bytes that the caller owns until Free.
func (a ArrowAllocator) Allocate(size int) []byte {
	b := a.set().bytes("Allocate", size)
	if a.dirty(b) {
		clearPadded(b, 0)
	}
	return b
}

// Reallocate returns the first size bytes of b, followed by zeros if b was
// shorter. b is given up: the result is its memory where that has room for size
// and is less than twice as large as what Allocate would return, and other memory
// elsewhere.
//
//poolproof:owns b
func (a ArrowAllocator) Reallocate(size int, b []byte) []byte {
	s := a.set()
	s.must()
	a.pool.checkSize("Reallocate", size)
	if size <= cap(b) && s.room(size) > cap(b)/2 {
		old := len(b)
		b = b[:size]
		clearPadded(b, min(old, size))
		return b
	}
	other := s.bytes("Reallocate", size)
	n := copy(other, b)
	if a.dirty(other) {
		clearPadded(other, n)
	}
	a.Free(b)
	return other
}

// Free gives b up. It trusts nothing but a capacity that is a class and a start
// that is a multiple of 64, which a slice of b from its start keeps; all else is
// left to the garbage collector, as Pool.Free does.
//
//poolproof:owns b
func (a ArrowAllocator) Free(b []byte) {
	if s := a.set(); cap(b) > 0 {
		s.free("Free", b)
	}
}

// dirty reports whether b, which the pool has just handed out, may hold
// something.
func (a ArrowAllocator) dirty(b []byte) bool {
	s := &a.pool.plain
	return cap(b) <= s.max && s.zero < ZeroUsed
}

// clearPadded zeroes b from position from to the next multiple of 64 after its
// length.
func clearPadded(b []byte, from int) {
	end := min(cap(b), roundUp(len(b)))
	clear(b[from:end])
}
