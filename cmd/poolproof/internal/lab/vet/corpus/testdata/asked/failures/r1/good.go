// Right: callee puts if it fails, caller puts otherwise
package r1

import (
	"bytes"
	"io"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

func flush(w io.Writer, b *bytes.Buffer) error {
	if _, err := w.Write(b.Bytes()); err != nil {
		putBuf(b)
		return err
	}
	return nil
}

func Send(w io.Writer, s string) error {
	b := getBuf()
	b.WriteString(s)
	if err := flush(w, b); err != nil {
		return err
	}
	putBuf(b)
	return nil
}
