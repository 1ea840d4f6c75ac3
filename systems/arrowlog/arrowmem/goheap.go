package arrowmem

import (
	"sync/atomic"
	"unsafe"
)

// Go makes memory on the Go heap for each Allocate and leaves it to the garbage
// collector at Free. It is the baseline for the others: arrow-go's own Go
// allocator does the same, with 64 bytes more for each request. The zero value
// is ready to use. It is safe for concurrent use and must not be copied.
type Go struct {
	_   noCopy
	out atomic.Int64
}

// NewGo returns an allocator that makes new memory for each Allocate.
func NewGo() *Go { return &Go{} }

// Allocate returns size zero bytes that begin at a multiple of 64. The caller
// owns them until Free.
func (g *Go) Allocate(size int) []byte {
	checkSize("Allocate", size)
	g.out.Add(int64(size))
	return makeAligned(size)
}

// Reallocate returns memory of size bytes that begins with those of b, followed
// by zeros. The caller gives b up.
func (g *Go) Reallocate(size int, b []byte) []byte {
	checkSize("Reallocate", size)
	g.out.Add(int64(size - len(b)))
	if size <= len(b) {
		return b[:size]
	}
	larger := makeAligned(size)
	copy(larger, b)
	return larger
}

// Free gives b up to the garbage collector.
func (g *Go) Free(b []byte) { g.out.Add(-int64(len(b))) }

// AllocatedBytes returns the sum of the lengths that were handed out and not
// freed, in bytes.
func (g *Go) AllocatedBytes() int64 { return g.out.Load() }

// makeAligned makes zero memory that begins at a multiple of 64 bytes. Most of
// the size classes of Go's allocator are multiples of 64 and need no shift.
func makeAligned(size int) []byte {
	if size == 0 {
		return empty
	}
	b := make([]byte, size, roundUp(size))
	shift := misalignment(b)
	if shift == 0 {
		return b
	}
	b = make([]byte, roundUp(size)+alignment)
	if shift = misalignment(b); shift != 0 {
		b = b[alignment-shift:]
	}
	return b[:size:roundUp(size)]
}

// misalignment returns the number of bytes by which b begins after a multiple of
// 64.
func misalignment(b []byte) int {
	return int(uintptr(unsafe.Pointer(unsafe.SliceData(b))) & (alignment - 1))
}

func roundUp(n int) int { return (n + alignment - 1) &^ (alignment - 1) }

// noCopy makes go vet report copies of what contains it.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}
