//go:build unix

package ledger

import (
	"syscall"
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/internal/gcepoch"
)

// Mapped memory is none of the collector's, which refuses a cleanup for it.
func TestObjectsInMappedMemory(t *testing.T) {
	const size = 4096
	memory, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Skip("no mapped memory:", err)
	}
	defer syscall.Munmap(memory)
	x := unsafe.Pointer(unsafe.SliceData(memory))
	b := NewBook("mapped")
	b.Out(x, size, Here())
	gcepoch.Collect(2)
	if o, _ := b.In(x, size, Here()); o != Owned || b.Lost() != 0 {
		t.Errorf("origin %d with %d lost, want Owned and 0", o, b.Lost())
	}
	if o, _ := b.In(x, size, Here()); o != Twice {
		t.Errorf("origin of a second In %d, want Twice", o)
	}
}
