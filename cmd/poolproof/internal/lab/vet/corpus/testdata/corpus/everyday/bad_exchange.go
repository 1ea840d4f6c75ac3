package everyday

import (
	"bytes"
	"io"
)

// another returns a buffer with the text of b, and leaves b to its caller.
func another(b *bytes.Buffer) *bytes.Buffer {
	larger := buffers.Get().(*bytes.Buffer)
	larger.Reset()
	larger.Write(b.Bytes())
	return larger
}

func concatWrongly(w io.Writer, in []io.Reader, stop func() bool) error {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	for range in {
		b = another(b) // want "PV005"
		if stop() {
			buffers.Put(b)
			return io.EOF
		}
	}
	_, err := w.Write(b.Bytes())
	buffers.Put(b)
	return err
}
