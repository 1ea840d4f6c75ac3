package danglingfield

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"

	"example.org/corpus/lib/bufs"
)

func (w *writer) closeOnce() error {
	if w.buf == nil {
		return nil
	}
	_, err := w.dst.Write(w.buf.Bytes())
	buffers.Put(w.buf)
	w.buf = nil // fine "PV015" cleared
	return err
}

func (w *writer) clearedBefore() {
	b := w.buf
	w.buf = nil
	buffers.Put(b) // fine "PV015" cleared before
}

func (w *writer) exchanged() {
	bufs.PutBytes(w.tmp)
	w.tmp = bufs.GetBytes() // fine "PV015" has a new one
}

func (w *writer) wholeStruct() {
	buffers.Put(w.buf)
	*w = writer{dst: w.dst} // fine "PV015" all fields are new
}

func (w *writer) inDefer() (err error) {
	defer func() { w.buf = nil }()
	_, err = w.buf.WriteTo(w.dst)
	buffers.Put(w.buf) // fine "PV015" cleared by the deferred call
	return err
}

type onceCloser struct {
	once sync.Once
	buf  *bytes.Buffer
}

func (c *onceCloser) Close() error {
	c.once.Do(func() {
		buffers.Put(c.buf) // fine "PV015" once
	})
	return nil
}

type flagCloser struct {
	closed atomic.Bool
	buf    *bytes.Buffer
}

func (c *flagCloser) Close() error {
	if c.closed.Swap(true) {
		return io.ErrClosedPipe
	}
	buffers.Put(c.buf) // fine "PV015" guarded by the flag
	return nil
}

// The owner goes into its own pool along with the field.
type pooledWriter struct{ buf *bytes.Buffer }

var writers = sync.Pool{New: func() any { return new(pooledWriter) }}

func (p *pooledWriter) release() {
	bufs.Put(p.buf)
	p.reset() // fine "PV015" cleared there
	writers.Put(p)
}

func (p *pooledWriter) reset() { p.buf = nil }

// A local owner ends with the function.
func localOwner(dst io.Writer, name string) error {
	w := writer{dst: dst, buf: bufs.Get()}
	w.buf.WriteString(name)
	_, err := w.buf.WriteTo(w.dst)
	bufs.Put(w.buf) // fine "PV015" nobody has w
	return err
}
