package arrowallocators

import (
	"sync/atomic"

	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Counting is an allocator that counts what Arrow asks of the one below it.
// Safe for concurrent use if that one is.
type Counting struct {
	Under memory.Allocator

	Allocates   atomic.Int64 // calls of Allocate
	Reallocates atomic.Int64
	Frees       atomic.Int64
	// Bytes is the memory needed if Free gave nothing back: the sizes asked
	// of Allocate, and those of each Reallocate beyond the memory at hand.
	Bytes atomic.Int64
}

// Allocate passes the call on.
func (c *Counting) Allocate(size int) []byte {
	c.Allocates.Add(1)
	c.Bytes.Add(int64(size))
	return c.Under.Allocate(size)
}

// Reallocate passes the call on.
func (c *Counting) Reallocate(size int, b []byte) []byte {
	c.Reallocates.Add(1)
	if size > cap(b) {
		c.Bytes.Add(int64(size))
	}
	return c.Under.Reallocate(size, b)
}

// Free passes the call on.
func (c *Counting) Free(b []byte) {
	c.Frees.Add(1)
	c.Under.Free(b)
}
