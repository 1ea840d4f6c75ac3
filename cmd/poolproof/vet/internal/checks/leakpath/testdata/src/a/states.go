package a

import (
	"bufs"
	"bytes"
)

type holder struct{ buf *bytes.Buffer }

func (h *holder) twice() {
	h.buf = bufs.Get()
	h.buf.WriteByte('x')
	h.buf = bufs.Get() // want `this assignment loses`
}

func (h *holder) putBetween() {
	h.buf = bufs.Get()
	bufs.Put(h.buf)
	h.buf = bufs.Get()
}

func (h *holder) closedBetween() {
	h.buf = bufs.Get()
	h.close()
	h.buf = bufs.Get()
}

func (h *holder) close() { bufs.Put(h.buf) }

func (h *holder) oneOf(large bool) {
	if large {
		h.buf = bufs.Get()
		return
	}
	h.buf = bufs.Get()
}

// What the deferred literal finds in the variable is put.
func deferredBefore(again bool) {
	b := bufs.Get()
	defer func() { bufs.Put(b) }()
	if again {
		bufs.Put(b)
		b = bufs.Get()
	}
	b.Reset()
}
