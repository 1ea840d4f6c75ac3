// Wrong: an interface that nobody closes
package w1

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

func Send(w io.Writer, vs []string) (err error) {
	var c io.WriteCloser = NewWriter(w) // want "PV006" nobody closes it
	defer func() {
		if err != nil {
			err = fmt.Errorf("send: %w", err)
		}
	}()
	for _, v := range vs {
		if _, err := io.WriteString(c, v); err != nil {
			return err
		}
	}
	return nil
}
