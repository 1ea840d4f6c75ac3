// Package marked uses allocators that say what they do.
package marked

import (
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/mark"
)

var sink byte

var kept []byte

// heap allocates n bytes on the heap: on the stack there is nothing to watch.
func heap(n int) []byte {
	kept = make([]byte, n)
	return kept
}

func free(b []byte)  { mark.Put(unsafe.Pointer(unsafe.SliceData(b)), uintptr(cap(b))) }
func alloc(b []byte) { mark.Get(unsafe.Pointer(unsafe.SliceData(b)), uintptr(cap(b))) }

func TestUseAfterFree(t *testing.T) {
	b := heap(64)
	mark.Put(unsafe.Pointer(&b[0]), 64) // use put
	b[7] = 1                            // use here
}

func TestDoubleFree(t *testing.T) {
	b := heap(64)
	mark.Put(unsafe.Pointer(&b[0]), 64) // double put
	mark.Put(unsafe.Pointer(&b[0]), 64) // double here
}

func TestPartOfAnArena(t *testing.T) {
	arena := heap(4096)
	part := arena[1024:1100]
	before, behind := arena[1016:1024], arena[1104:1112]
	mark.Put(unsafe.Pointer(&arena[0]), 4096) // arena put
	mark.Get(unsafe.Pointer(unsafe.SliceData(part)), 76)
	for i := range part {
		part[i] = 1
	}
	sink += before[7] // before
	sink += behind[0] // behind
}

func TestGood(t *testing.T) {
	b := heap(100)
	for range 10 {
		free(b)
		alloc(b)
		b[0]++
		b[99]++
	}
	arena := heap(4096)
	for range 3 {
		free(arena)
		for i := 0; i < 4096; i += 128 {
			part := arena[i : i+128 : i+128]
			alloc(part)
			part[0], part[127] = 1, 2
		}
	}
	var local [64]byte
	free(local[:])
	local[0] = 1
	free(nil)
	alloc(nil)
}
