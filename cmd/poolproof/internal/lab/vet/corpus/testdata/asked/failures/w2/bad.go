// Wrong: callee puts if it fails, the caller reads b for the message
package w2

import (
	"bytes"
	"fmt"
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
		return fmt.Errorf("send %q: %w", b.String(), err) // want "PV001" flush has put b, because it failed
	}
	putBuf(b)
	return nil
}
