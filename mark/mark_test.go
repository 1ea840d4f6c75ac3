package mark_test

import (
	"testing"
	"unsafe"

	"github.com/poolproof/poolproof/mark"
)

// freelist hands out blocks of 64 bytes.
type freelist struct{ free [][]byte }

func (f *freelist) get() []byte {
	if n := len(f.free); n > 0 {
		b := f.free[n-1]
		f.free = f.free[:n-1]
		mark.Get(unsafe.Pointer(unsafe.SliceData(b)), uintptr(cap(b)))
		return b
	}
	return make([]byte, 64)
}

func (f *freelist) put(b []byte) {
	mark.Put(unsafe.Pointer(unsafe.SliceData(b)), uintptr(cap(b)))
	f.free = append(f.free, b)
}

func Example() {
	var blocks freelist
	b := blocks.get()
	copy(b, "hello")
	blocks.put(b) // from here on `poolproof test` reports each use of b
	c := blocks.get()
	copy(c, "again")
	blocks.put(c)
	// Output:
}

func TestAnAllocatorWorksWithItsMarks(t *testing.T) {
	var f freelist
	a, b := f.get(), f.get()
	copy(a, "a")
	copy(b, "b")
	f.put(a)
	if b[0] != 'b' {
		t.Error("the other block has changed")
	}
	if c := f.get(); &c[0] != &a[0] {
		t.Error("the free block was not handed out")
	}
}

func TestMarksCostNothing(t *testing.T) {
	var x [64]byte
	if n := testing.AllocsPerRun(100, func() {
		mark.Put(unsafe.Pointer(&x), unsafe.Sizeof(x))
		mark.Get(unsafe.Pointer(&x), unsafe.Sizeof(x))
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
	mark.Put(nil, 0)
	mark.Get(nil, 0)
}
