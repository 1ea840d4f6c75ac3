// Package danglingfield leaves fields set after what is in them was put.
package danglingfield

import (
	"bytes"
	"io"
	"sync"

	"example.org/corpus/lib/bufs"
	"example.org/corpus/lib/jobs"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type writer struct {
	dst io.Writer
	buf *bytes.Buffer
	tmp *[]byte
	job *jobs.Job
}

func newWriter(dst io.Writer) *writer {
	return &writer{dst: dst, buf: buffers.Get().(*bytes.Buffer), tmp: bufs.GetBytes(), job: jobs.New(1)}
}

// A second Close would put it again.
func (w *writer) Close() error {
	_, err := w.dst.Write(w.buf.Bytes())
	buffers.Put(w.buf) // want "PV015"
	return err
}

func (w *writer) shrink() {
	bufs.PutBytes(w.tmp) // want "PV015"
}

func (w *writer) finish() {
	w.job.Release() // want "PV015"
}

func (w *writer) abort(err error) error {
	if err != nil {
		bufs.Put(w.buf) // want "PV015"
		return err
	}
	_, err = w.buf.WriteTo(w.dst)
	return err
}

type ring struct {
	slots [4]*bytes.Buffer
	head  int
}

func (r *ring) pop() {
	buffers.Put(r.slots[r.head]) // want "PV015"
	r.head = (r.head + 1) % len(r.slots)
}
