package arrowmem

import (
	"sync/atomic"

	"github.com/poolproof/poolproof/buffer"
)

// Recycler keeps freed memory on the Go heap, in the size classes of a
// [buffer.Pool], and hands it out again, cleared. Memory that nothing asks for is
// dropped after some garbage collections. It is safe for concurrent use and must
// not be copied.
//
// A Recycler trusts a freed slice only if its capacity is exactly that of a class
// and its start is aligned; it leaves all else to the garbage collector and
// counts it (Stats().Foreign). It cannot see that memory is freed twice: both
// owners then share it. [Guard] finds such a mistake.
type Recycler struct {
	_     noCopy
	pool  *buffer.Pool
	out   atomic.Int64
	dirty bool
}

// NewRecycler returns an allocator that keeps nothing yet.
func NewRecycler(o Options) *Recycler {
	o = o.withDefaults()
	return &Recycler{
		pool: buffer.New(buffer.Options{
			Max:     o.MaxBlock,
			Zero:    buffer.ZeroNone, // Allocate clears as much as is asked for
			Reserve: o.MaxRetained,
		}),
		dirty: o.NoZero,
	}
}

// Allocate returns size zero bytes that begin at a multiple of 64. Their
// capacity is that of their class. The caller owns them until Free.
func (r *Recycler) Allocate(size int) []byte {
	checkSize("Allocate", size)
	r.out.Add(int64(size))
	if size == 0 {
		return empty
	}
	b := r.pool.Bytes(size)
	if !r.dirty {
		clear(b)
	}
	return b
}

// Reallocate returns memory of size bytes that begins with those of b, followed
// by zeros. The caller gives b up: the result may be its memory or another. A
// block that has shrunk to less than half of its class moves to a smaller one.
//
//poolproof:owns b
func (r *Recycler) Reallocate(size int, b []byte) []byte {
	checkSize("Reallocate", size)
	if size <= cap(b) && size > cap(b)/2 {
		r.out.Add(int64(size - len(b)))
		grown := b[:size]
		if size > len(b) && !r.dirty {
			clear(grown[len(b):])
		}
		return grown
	}
	moved := r.allocateFor(size, b)
	r.Free(b)
	return moved
}

// allocateFor returns memory of size bytes that begins with those of b. It
// clears only what the copy does not fill.
func (r *Recycler) allocateFor(size int, b []byte) []byte {
	if size == 0 {
		return empty
	}
	r.out.Add(int64(size))
	moved := r.pool.Bytes(size)
	n := copy(moved, b)
	if !r.dirty {
		clear(moved[n:])
	}
	return moved
}

// Free gives b up. Its memory may be handed out again at once.
//
//poolproof:owns b
func (r *Recycler) Free(b []byte) {
	r.out.Add(-int64(len(b)))
	if cap(b) > 0 {
		r.pool.Free(b)
	}
}

// AllocatedBytes returns the sum of the lengths that were handed out and not
// freed, in bytes.
func (r *Recycler) AllocatedBytes() int64 { return r.out.Load() }

// Stats returns what the pool of the allocator has counted.
func (r *Recycler) Stats() buffer.Stats { return r.pool.Stats() }

// Trim drops free memory until at most bytes are kept, and returns the number of
// bytes that it dropped.
func (r *Recycler) Trim(bytes int64) (dropped int64) { return r.pool.Trim(bytes) }
