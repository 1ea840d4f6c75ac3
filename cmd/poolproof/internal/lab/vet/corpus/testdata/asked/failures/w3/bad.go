// Wrong: callee puts if it succeeds only, caller loses b on failure
package w3

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
		return err // want "PV005" b is lost here (or at the caller's return below)
	}
	putBuf(b)
	return nil
}

func Send(w io.Writer, s string) error {
	b := getBuf()
	b.WriteString(s)
	return flush(w, b)
}
