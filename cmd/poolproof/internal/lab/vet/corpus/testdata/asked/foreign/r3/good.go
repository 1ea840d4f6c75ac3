// Right: Write copies into a pooled slab of its own
package r3

import (
	"io"
	"sync"
)

var slabs = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type sink struct{ w io.Writer }

func (s *sink) Write(p []byte) (int, error) {
	b := slabs.Get().(*[]byte)
	defer slabs.Put(b)
	n := copy(*b, p)
	for i := range (*b)[:n] {
		(*b)[i] ^= 0x55
	}
	return s.w.Write((*b)[:n])
}
