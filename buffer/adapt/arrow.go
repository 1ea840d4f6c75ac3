package adapt

import (
	"slices"

	"github.com/poolproof/poolproof/buffer"
)

// ArrowAllocator is the Allocator of github.com/apache/arrow-go/v18/arrow/memory.
// It is made by [Arrow], and safe for concurrent use; the methods of the zero
// value panic and say so.
type ArrowAllocator struct {
	pool    *buffer.Pool
	dirty   int // memory up to this capacity may hold what another owner left
	classes []int
}

// Arrow returns p as an ArrowAllocator. Memory begins at a multiple of 64 bytes,
// as Arrow wants it, is zero over the size that was asked and the padding to the
// next multiple of 64, and has the capacity of its class, so that Reallocate often
// has nothing to do.
func Arrow(p *buffer.Pool) ArrowAllocator {
	return ArrowAllocator{p, dirtyTo(p), p.Options().Classes}
}

// must panics if a is zero.
func (a ArrowAllocator) must() *buffer.Pool {
	if a.pool == nil {
		panic("adapt: use of an ArrowAllocator that was not made by Arrow")
	}
	return a.pool
}

// Allocate returns size bytes that the caller owns until Free. It panics if size
// is negative.
func (a ArrowAllocator) Allocate(size int) []byte {
	b := a.must().Bytes(size)
	if cap(b) <= a.dirty {
		clearPadded(b, 0)
	}
	return b
}

// Reallocate returns the first size bytes of b, followed by zeros if b was
// shorter. b is given up: the result is its memory where that has room for size
// and is less than twice as large as what Allocate would return, and other memory
// elsewhere. It panics if size is negative.
//
//poolproof:owns b
func (a ArrowAllocator) Reallocate(size int, b []byte) []byte {
	p := a.must()
	if 0 <= size && size <= cap(b) && a.room(size) > cap(b)/2 {
		old := len(b)
		b = b[:size]
		clearPadded(b, min(old, size))
		return b
	}
	other := p.Bytes(size)
	n := copy(other, b)
	if cap(other) <= a.dirty {
		clearPadded(other, n)
	}
	a.Free(b)
	return other
}

// room returns the capacity of what Allocate(size) returns.
func (a ArrowAllocator) room(size int) int {
	if i, _ := slices.BinarySearch(a.classes, size); i < len(a.classes) {
		return a.classes[i]
	}
	return roundUp(size)
}

// Free gives b up. It trusts nothing but a capacity that is a class and a start
// that is a multiple of 64, which a slice of b from its start keeps; all else is
// left to the garbage collector, as [buffer.Pool.Free] does.
//
//poolproof:owns b
func (a ArrowAllocator) Free(b []byte) {
	if p := a.must(); cap(b) > 0 {
		p.Free(b)
	}
}

// padding is the multiple that Arrow pads to.
const padding = 64

// roundUp returns the multiple of padding that is not below n.
func roundUp(n int) int { return (n + padding - 1) / padding * padding }

// clearPadded zeroes b from position from to the next multiple of 64 after its
// length.
func clearPadded(b []byte, from int) {
	end := min(cap(b), roundUp(len(b)))
	clear(b[from:end])
}
