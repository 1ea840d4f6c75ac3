// Wrong: grow puts the old memory while the caller holds a part of it
package w1

import (
	"encoding/binary"
	"io"
	"sync"
)

var slabs = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type writer struct {
	p *[]byte
	n int
}

func newWriter() *writer { return &writer{p: slabs.Get().(*[]byte)} }

func (w *writer) grow(n int) {
	if w.n+n <= len(*w.p) {
		return
	}
	old := w.p
	bigger := make([]byte, 2*len(*old)+n)
	copy(bigger, (*old)[:w.n])
	w.p = &bigger
	slabs.Put(old)
}

func (w *writer) Close() {
	if w.p != nil {
		slabs.Put(w.p)
		w.p = nil
	}
}

func Frame(dst io.Writer, payload []byte) {
	w := newWriter()
	defer w.Close()
	head := (*w.p)[:4]
	w.n = 4
	w.grow(len(payload))
	w.n += copy((*w.p)[w.n:], payload)
	binary.BigEndian.PutUint32(head, uint32(w.n)) // want "PV001" grow may have put the memory of head
	dst.Write((*w.p)[:w.n])
}
