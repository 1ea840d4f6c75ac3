package arrowmem

import (
	"fmt"
	"sync/atomic"
)

// Zeroed makes an allocator from elsewhere keep this package's contract: it
// clears the memory that the other hands out, and counts it. Arrow's own C++
// memory pool needs it, which arrow-go offers in builds with the tag ccalloc:
//
//	mem := arrowmem.NewZeroed(memory.NewCgoArrowAllocator())
//
// That pool clears what Reallocate adds, but not what Allocate returns, so that
// an IPC stream carries old data in the places of nulls (arrow-go 18.8.0,
// arrow/memory/cgo_allocator.go).
//
// Where the memory begins, and which slices Free accepts, is left to the other
// allocator: free memory with the length that it was handed out with. Zeroed is as
// safe for concurrent use as the other allocator, and must not be copied.
type Zeroed struct {
	_     noCopy
	under Allocator
	out   atomic.Int64
}

// NewZeroed returns an allocator that takes its memory from under. It panics if
// under is nil.
func NewZeroed(under Allocator) *Zeroed {
	if under == nil {
		panic("arrowmem: NewZeroed: the allocator is nil")
	}
	return &Zeroed{under: under}
}

// Allocate returns size zero bytes. The caller owns them until Free. It panics if
// the other allocator returns fewer bytes.
func (z *Zeroed) Allocate(size int) []byte {
	checkSize("Allocate", size)
	if size == 0 {
		return empty
	}
	b := z.under.Allocate(size)
	z.check("Allocate", size, b)
	clear(b)
	z.out.Add(int64(size))
	return b
}

// Reallocate returns memory of size bytes that begins with those of b, followed
// by zeros. The caller gives b up.
func (z *Zeroed) Reallocate(size int, b []byte) []byte {
	checkSize("Reallocate", size)
	switch {
	case len(b) == 0:
		return z.Allocate(size)
	case size == 0:
		z.Free(b)
		return empty
	}
	old := len(b)
	b = z.under.Reallocate(size, b)
	z.check("Reallocate", size, b)
	if size > old {
		clear(b[old:])
	}
	z.out.Add(int64(size - old))
	return b
}

// Free gives b back to the other allocator.
func (z *Zeroed) Free(b []byte) {
	if len(b) == 0 {
		return
	}
	z.out.Add(-int64(len(b)))
	z.under.Free(b)
}

// AllocatedBytes returns the sum of the lengths that were handed out and not
// freed, in bytes.
func (z *Zeroed) AllocatedBytes() int64 { return z.out.Load() }

// check panics if the other allocator did not return size bytes.
func (z *Zeroed) check(method string, size int, b []byte) {
	if len(b) != size {
		panic(fmt.Sprintf("arrowmem: Zeroed.%s: %T returned %d bytes, want %d", method, z.under, len(b), size))
	}
}
