package arrowallocators

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

// Recycler is an allocator for Arrow, in the sense of arrow-go's
// memory.Allocator, that uses memory again once it is freed. It is safe for
// concurrent use: an Arrow buffer may be freed by any goroutine, also by the
// runtime's own when the buffer has become garbage.
//
// What it hands out starts at a multiple of 64, and every byte of it that the
// caller has not written is zero. Arrow needs the latter: a builder leaves the
// place of a null as it is, and an IPC stream carries that place along. So what
// a batch held before would be sent with the next.
//
// Its memory has the capacity of a size class. Free takes back what has such a
// capacity and such a start, and leaves all else to the collector. It cannot
// know a part of its own memory that happens to look so: only whole slices, as
// they were handed out, may be freed, and each once.
type Recycler struct {
	blocks blocks
	out    atomic.Int64
}

// blocks is where a Recycler has its memory from. Blocks have the length and
// the capacity of their class.
type blocks interface {
	// get returns a block, which may hold old data if dirty.
	get(class int) (block []byte, dirty bool)
	// put takes a block back.
	put(class int, block []byte)
	// held is the memory that is kept from the collector, in bytes.
	held() int64
}

// Allocate returns size bytes, all zero; an empty slice for 0. It panics if
// size is negative.
func (r *Recycler) Allocate(size int) []byte {
	b, dirty := r.take(size)
	if dirty {
		clear(b)
	}
	return b
}

// Reallocate returns size bytes that begin with those of b and are zero after
// them, in the same memory if that suffices. b must not be used any more.
func (r *Recycler) Reallocate(size int, b []byte) []byte {
	if _, ok := classOfMemory(b); ok && 0 < size && size <= cap(b) {
		r.out.Add(int64(size - len(b)))
		if size > len(b) {
			clear(b[len(b):size]) // it may have been longer before
		}
		return b[:size]
	}
	to, dirty := r.take(size)
	n := copy(to, b)
	if dirty {
		clear(to[n:])
	}
	r.Free(b)
	return to
}

// Free takes the memory of b back.
func (r *Recycler) Free(b []byte) {
	r.out.Add(int64(-len(b)))
	if class, ok := classOfMemory(b); ok {
		r.blocks.put(class, b[:cap(b)])
	}
}

// Out returns the bytes handed out and not freed: the sum of the lengths.
func (r *Recycler) Out() int64 { return r.out.Load() }

// Held is the memory that the allocator keeps and that no collection takes
// back, in bytes.
func (r *Recycler) Held() int64 { return r.blocks.held() }

func (r *Recycler) take(size int) (b []byte, dirty bool) {
	if size < 0 {
		panic(fmt.Sprintf("arrowallocators: %d bytes asked for", size))
	}
	r.out.Add(int64(size))
	class, ok := classOf(size)
	if !ok {
		return alignedMake(size), false // none, or too many to be kept
	}
	b, dirty = r.blocks.get(class)
	return b[:size], dirty
}

// classOfMemory returns the class of which b is a block, judged by its capacity
// and its start.
func classOfMemory(b []byte) (class int, ok bool) {
	class, ok = classOf(cap(b))
	return class, ok && classSize(class) == cap(b) && misaligned(b) == 0
}

// alignedMake returns size zero bytes of the Go heap, with just that capacity,
// that start at a multiple of 64.
func alignedMake(size int) []byte {
	b := make([]byte, size)
	if size > 0 && misaligned(b) != 0 { // multiples of 64 never are, so far
		return alignedPart(make([]byte, size+alignment-1), size)
	}
	return b
}

// alignedPart returns the first size bytes of b that start at a multiple of 64.
func alignedPart(b []byte, size int) []byte {
	skip := -misaligned(b) & (alignment - 1)
	return b[skip : skip+size : skip+size]
}

// misaligned is by how much the start of b misses a multiple of 64.
func misaligned(b []byte) int {
	return int(uintptr(unsafe.Pointer(unsafe.SliceData(b))) % alignment)
}
