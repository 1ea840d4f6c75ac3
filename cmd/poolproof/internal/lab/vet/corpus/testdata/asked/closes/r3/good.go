// Right: a deferred literal closes a list of interfaces
package r3

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

func open(w io.Writer) *writer { return &writer{b: getBuf(), w: w} }

func Fan(ws []io.Writer, v string) error {
	var closers []io.Closer
	defer func() {
		for _, c := range closers {
			c.Close()
		}
	}()
	for _, w := range ws {
		c := open(w)
		closers = append(closers, c)
		if _, err := io.WriteString(c, v); err != nil {
			return err
		}
	}
	return nil
}
