// Wrong: a return before the deferred literal
package w2

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

type Writer struct {
	b *bytes.Buffer
	w io.Writer
}

func NewWriter(w io.Writer) *Writer { return &Writer{b: getBuf(), w: w} }

func (w *Writer) Write(p []byte) (int, error) { return w.b.Write(p) }

func (w *Writer) Close() error {
	if w.b == nil {
		return nil
	}
	_, err := w.b.WriteTo(w.w)
	putBuf(w.b)
	w.b = nil
	return err
}

func Send(w io.Writer, r io.Reader) (err error) {
	var c io.WriteCloser = NewWriter(w)
	head := make([]byte, 4)
	if _, err := io.ReadFull(r, head); err != nil {
		return err // want "PV005" c is not closed here
	}
	defer func() {
		if cerr := c.Close(); err == nil {
			err = cerr
		}
	}()
	_, err = c.Write(head)
	return err
}
