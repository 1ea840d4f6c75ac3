// Package chunkwriter writes chunks.
package chunkwriter

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// ErrClosed is returned after Close.
var ErrClosed = errors.New("closed")

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Writer collects a chunk.
type Writer struct {
	w   io.Writer
	buf *bytes.Buffer
}

// New returns a writer.
func New(w io.Writer) *Writer {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	return &Writer{w: w, buf: b}
}

func (w *Writer) Write(p []byte) (int, error) {
	if w.buf == nil {
		return 0, ErrClosed
	}
	return w.buf.Write(p)
}

// Close writes the chunk. A second Close does nothing.
func (w *Writer) Close() error {
	if w.buf == nil {
		return nil
	}
	_, err := w.buf.WriteTo(w.w)
	buffers.Put(w.buf)
	w.buf = nil
	return err
}

// WriteAll writes one chunk.
func WriteAll(w io.Writer, parts ...string) error {
	cw := New(w)
	defer cw.Close()
	for _, p := range parts {
		if _, err := io.WriteString(cw, p); err != nil {
			return err
		}
	}
	return cw.Close()
}
