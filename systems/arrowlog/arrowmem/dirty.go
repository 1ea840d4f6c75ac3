package arrowmem

import "sync/atomic"

// Dirty is an allocator for tests. Memory is full of 0xAA when it is handed out
// and full of 0xDD after Free, so code that reads what it has not written, or
// what it has freed, gives other output than with [Go]. It breaks the contract
// about zeros on purpose. It is safe for concurrent use and must not be copied.
type Dirty struct {
	_   noCopy
	out atomic.Int64
}

// NewDirty returns an allocator whose memory is never zero.
func NewDirty() *Dirty { return &Dirty{} }

// Allocate returns size bytes of 0xAA that the caller owns until Free.
func (d *Dirty) Allocate(size int) []byte {
	checkSize("Allocate", size)
	d.out.Add(int64(size))
	b := makeAligned(size)
	fill(b[:cap(b)], fresh)
	return b
}

// Reallocate moves b to other memory of size bytes and fills the rest with 0xAA.
func (d *Dirty) Reallocate(size int, b []byte) []byte {
	moved := d.Allocate(size)
	copy(moved, b)
	d.Free(b)
	return moved
}

// Free fills b with 0xDD.
func (d *Dirty) Free(b []byte) {
	d.out.Add(-int64(len(b)))
	fill(b[:cap(b)], freed)
}

// AllocatedBytes returns the sum of the lengths that were handed out and not
// freed, in bytes.
func (d *Dirty) AllocatedBytes() int64 { return d.out.Load() }

// These bytes fill memory that a program must not read.
const (
	fresh = 0xAA // handed out and not written
	freed = 0xDD
)

func fill(b []byte, with byte) {
	for i := range b {
		b[i] = with
	}
}
