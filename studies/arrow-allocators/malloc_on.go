//go:build cmalloc && cgo && unix

package arrowallocators

/*
#include <stdlib.h>

// The pointer is returned and not stored through a parameter: the parameter
// would be a Go variable that escapes, one allocation a call.
static void *aligned(size_t alignment, size_t size) {
	void *p;
	return posix_memalign(&p, alignment, size) == 0 ? p : NULL;
}
*/
import "C"

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

// mallocArms is the arm malloc.
func mallocArms() []Arm {
	return []Arm{{Name: "malloc", open: func() (Memory, error) {
		m := new(malloc)
		return Memory{Allocator: m, Held: m.out.Load, Out: m.out.Load}, nil
	}}}
}

// malloc is an allocator on the C library's, which another one may replace
// (LD_PRELOAD). As with Recycler every byte is zero that the caller has not
// written, and only whole slices that it has handed out may be freed, each
// once: else the C library does what it does then. Where there is no memory it
// panics.
type malloc struct{ out atomic.Int64 }

func (m *malloc) Allocate(size int) []byte {
	b := m.take(size)
	clear(b)
	return b
}

func (m *malloc) Reallocate(size int, b []byte) []byte {
	if 0 < size && size <= cap(b) {
		m.out.Add(int64(size - len(b)))
		if size > len(b) {
			clear(b[len(b):size])
		}
		return b[:size]
	}
	to := m.take(size)
	clear(to[copy(to, b):])
	m.Free(b)
	return to
}

func (m *malloc) Free(b []byte) {
	if cap(b) == 0 {
		return
	}
	m.out.Add(int64(-len(b)))
	C.free(unsafe.Pointer(unsafe.SliceData(b)))
}

func (m *malloc) take(size int) []byte {
	if size < 0 {
		panic(fmt.Sprintf("arrowallocators: %d bytes asked for", size))
	}
	if size == 0 {
		return []byte{}
	}
	p := C.aligned(alignment, C.size_t(size))
	if p == nil {
		panic(fmt.Sprintf("arrowallocators: malloc has no %d bytes", size))
	}
	m.out.Add(int64(size))
	return unsafe.Slice((*byte)(p), size)
}
