// Wrong: grow puts the old memory before it copies it
package w2

import (
	"sync"
)

var slabs = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type writer struct {
	p *[]byte
	n int
}

func (w *writer) grow(n int) {
	old := w.p
	slabs.Put(old)
	bigger := make([]byte, 2*len(*old)+n) // want "PV001" old was put on the line above
	copy(bigger, (*old)[:w.n])
	w.p = &bigger
}

func (w *writer) Write(b []byte) (int, error) {
	if w.p == nil {
		w.p = slabs.Get().(*[]byte)
	}
	if w.n+len(b) > len(*w.p) {
		w.grow(len(b))
	}
	w.n += copy((*w.p)[w.n:], b)
	return len(b), nil
}
