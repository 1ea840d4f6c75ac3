// Right: a deferred literal asks whether the interface can be closed
package r4

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

type writer struct {
	b *bytes.Buffer
	w io.Writer
}

func (w *writer) Write(p []byte) (int, error) { return w.b.Write(p) }

func (w *writer) Close() error {
	if w.b == nil {
		return nil
	}
	_, err := w.b.WriteTo(w.w)
	putBuf(w.b)
	w.b = nil
	return err
}

func Send(w io.Writer, buffered bool, v string) error {
	out := w
	if buffered {
		out = &writer{b: getBuf(), w: w}
	}
	defer func() {
		if c, ok := out.(io.Closer); ok && out != w {
			c.Close()
		}
	}()
	_, err := io.WriteString(out, v)
	return err
}
