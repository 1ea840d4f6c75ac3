package everyday

import "bytes"

// hasher is of one kind: each constructor sets one flag.
type hasher struct {
	buf             *bytes.Buffer
	isShort, isLong bool
}

func newShort() *hasher { return &hasher{buf: buffers.Get().(*bytes.Buffer), isShort: true} }

func newLong() *hasher { return &hasher{buf: buffers.Get().(*bytes.Buffer), isLong: true} }

func (h *hasher) close() {
	if h.isShort && h.buf != nil {
		h.buf.Reset()
		buffers.Put(h.buf)
	}
	if h.isLong && h.buf != nil {
		h.buf.Reset()      // fine "PV001" a hasher is not of both kinds
		buffers.Put(h.buf) // fine "PV002" the same
	}
	h.buf = nil
}
