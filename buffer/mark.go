package buffer

import (
	"unsafe"

	"github.com/poolproof/poolproof/mark"
)

// The memory of a Buffer waits in a sync.Pool under its header, and what the reserve
// keeps waits in none: `poolproof test` sees it only because it is told. Memory that
// Free and PutPtr put into a sync.Pool it sees there.

// markPut says that the memory at x, of class c, has no owner: every access is a
// misuse until markGet.
func (c *class) markPut(x *byte) {
	if marked {
		mark.Put(unsafe.Pointer(x), uintptr(c.size))
	}
}

// markGet comes before the first access to memory at x that has waited.
func (c *class) markGet(x *byte) {
	if marked {
		mark.Get(unsafe.Pointer(x), uintptr(c.size))
	}
}
