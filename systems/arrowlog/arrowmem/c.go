//go:build cmalloc && cgo

package arrowmem

/*
#include <stdlib.h>

static void *arrowmem_take(size_t size) {
	void *p = NULL;
	if (posix_memalign(&p, 64, size) != 0) return NULL;
	return p;
}
*/
import "C"

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

// C takes memory from the C library's posix_memalign, or from the one of
// jemalloc, mimalloc or tcmalloc if LD_PRELOAD names their library. It is in the
// build with the tag cmalloc and cgo only. The garbage collector neither scans
// nor counts the memory, and C code may keep pointers to it; it must not hold Go
// pointers. A Free that is forgotten is a leak, and freeing memory twice or
// memory from elsewhere corrupts the C library's heap: test with a [Guard].
//
// An Allocate for which the library has no memory panics. C is safe for
// concurrent use and must not be copied.
type C struct {
	_     noCopy
	out   atomic.Int64
	dirty bool
}

// NewC returns an allocator on the C library. Of the options it uses NoZero.
func NewC(o Options) *C { return &C{dirty: o.NoZero} }

// Allocate returns size zero bytes that begin at a multiple of 64. The caller
// owns them until Free.
func (c *C) Allocate(size int) []byte {
	checkSize("Allocate", size)
	b := c.take(size)
	if !c.dirty {
		clear(b)
	}
	return b
}

// Reallocate returns memory of size bytes that begins with those of b, followed
// by zeros. The caller gives b up: the result may be its memory or another.
func (c *C) Reallocate(size int, b []byte) []byte {
	checkSize("Reallocate", size)
	if size > 0 && size <= cap(b) && size > cap(b)/2 {
		c.out.Add(int64(size - len(b)))
		old := len(b)
		b = b[:size]
		if size > old && !c.dirty {
			clear(b[old:])
		}
		return b
	}
	moved := c.take(size)
	n := copy(moved, b)
	if !c.dirty {
		clear(moved[n:])
	}
	c.Free(b)
	return moved
}

// Free gives b back to the C library.
func (c *C) Free(b []byte) {
	c.out.Add(-int64(len(b)))
	if cap(b) > 0 {
		C.free(unsafe.Pointer(unsafe.SliceData(b)))
	}
}

// AllocatedBytes returns the sum of the lengths that were handed out and not
// freed, in bytes.
func (c *C) AllocatedBytes() int64 { return c.out.Load() }

func (c *C) take(size int) []byte {
	if size == 0 {
		return empty
	}
	p := C.arrowmem_take(C.size_t(roundUp(size)))
	if p == nil {
		panic(fmt.Sprintf("arrowmem: the C library has no %d bytes; %d are allocated", size, c.out.Load()))
	}
	c.out.Add(int64(size))
	return unsafe.Slice((*byte)(p), roundUp(size))[:size]
}
