// Package suite gives adapt.Arrow the names of Arrow's Go allocator.
package suite

import (
	"unsafe"

	"github.com/poolproof/poolproof/buffer"
	"github.com/poolproof/poolproof/buffer/adapt"
)

const alignment = 64

var pool = adapt.Arrow(buffer.New(buffer.Options{}))

// GoAllocator cuts capacities to the length.
type GoAllocator struct{}

func (*GoAllocator) Allocate(size int) []byte { return pool.Allocate(size)[:size:size] }

func (*GoAllocator) Reallocate(size int, b []byte) []byte {
	return pool.Reallocate(size, b)[:size:size]
}

func addressOf(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
