// Wrong: grow puts the old memory and the field still refers to it if nothing was bigger
package w3

import (
	"bytes"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

type writer struct{ b *bytes.Buffer }

func (w *writer) grow(n int) {
	if w.b.Available() >= n {
		return
	}
	next := getBuf()
	next.Grow(2*w.b.Len() + n)
	next.Write(w.b.Bytes())
	putBuf(w.b)
	if next.Cap() < 1<<20 {
		w.b = next
	}
}

func (w *writer) Write(p []byte) (int, error) {
	w.grow(len(p))
	return w.b.Write(p) // want "PV001" grow may have put w.b
}
