// Right: constructor returns the interface; a deferred literal closes it
package r2

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

func Open(w io.Writer) io.WriteCloser { return &writer{b: getBuf(), w: w} }

func Send(w io.Writer, vs []string) error {
	c := Open(w)
	defer func() { _ = c.Close() }()
	for _, v := range vs {
		if _, err := io.WriteString(c, v); err != nil {
			return err
		}
	}
	return nil
}
