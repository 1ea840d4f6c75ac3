package everyday

import (
	"bytes"
	"io"
)

// enlarge returns a buffer with room for n bytes more: the one that it is given, or a larger one
// with the same text, and then it puts the other.
func enlarge(b *bytes.Buffer, n int) *bytes.Buffer {
	if b.Available() >= n {
		return b
	}
	larger := buffers.Get().(*bytes.Buffer)
	larger.Reset()
	larger.Write(b.Bytes())
	larger.Grow(n)
	buffers.Put(b)
	return larger
}

func concat(w io.Writer, in []io.Reader) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	for _, r := range in {
		b = enlarge(b, 512) // fine "PV005" enlarge puts the one of the round before
		if _, err := b.ReadFrom(r); err != nil {
			buffers.Put(b)
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	buffers.Put(b)
	return err
}
