package arrowmem

import "fmt"

// Allocator is the interface that arrow-go's package arrow/memory calls
// Allocator. The package documentation has the contract.
type Allocator interface {
	Allocate(size int) []byte
	Reallocate(size int, b []byte) []byte
	Free(b []byte)
}

// Tracked is an [Allocator] that knows how much is out. Every allocator of this
// package is one.
type Tracked interface {
	Allocator

	// AllocatedBytes returns the sum of the lengths that were handed out and not
	// freed, in bytes.
	AllocatedBytes() int64
}

// Options say what an allocator keeps and clears. The zero value is a good one.
type Options struct {
	// MaxRetained bounds the bytes of free memory that the allocator keeps for
	// reuse. A Recycler keeps so much across garbage collections; between two
	// collections it may hold more. 0 means 256 MiB, a negative value nothing.
	MaxRetained int64

	// MaxBlock is the size in bytes of the largest block that is kept. Larger
	// ones are made for each Allocate and given back by Free. 0 means 64 MiB.
	MaxBlock int

	// NoZero leaves what the last owner wrote in the memory. IPC streams then
	// contain old data in the places of nulls. It exists to measure what clearing
	// costs.
	NoZero bool
}

const (
	alignment       = 64
	defaultRetained = 256 << 20
	defaultMaxBlock = 64 << 20
)

func (o Options) withDefaults() Options {
	switch {
	case o.MaxRetained == 0:
		o.MaxRetained = defaultRetained
	case o.MaxRetained < 0:
		o.MaxRetained = 0
	}
	switch {
	case o.MaxBlock == 0:
		o.MaxBlock = defaultMaxBlock
	case o.MaxBlock < 0:
		panic(fmt.Sprintf("arrowmem: Options.MaxBlock is %d, want 0 or a number of bytes", o.MaxBlock))
	}
	return o
}

// empty is the result of Allocate(0).
var empty = make([]byte, 0)

// checkSize panics if a caller asks for a negative number of bytes.
func checkSize(method string, size int) {
	if size < 0 {
		panic(fmt.Sprintf("arrowmem: %s: the size is %d, want 0 or more", method, size))
	}
}
