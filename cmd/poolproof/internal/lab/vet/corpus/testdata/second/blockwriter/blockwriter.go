// Package blockwriter writes blocks with a length before each.
package blockwriter

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

// Writer collects a block and writes it when closed.
type Writer struct {
	w   io.Writer
	buf *bytes.Buffer
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// New returns a writer of one block.
func New(w io.Writer) *Writer {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	return &Writer{w: w, buf: b}
}

// Write adds to the block.
func (w *Writer) Write(p []byte) (int, error) { return w.buf.Write(p) }

// Close writes the block.
func (w *Writer) Close() error {
	var head [4]byte
	binary.BigEndian.PutUint32(head[:], uint32(w.buf.Len()))
	_, err := w.w.Write(append(head[:], w.buf.Bytes()...))
	buffers.Put(w.buf) // may "PV015"
	return err
}

// WriteAll writes the text as one block.
func WriteAll(w io.Writer, text string) error {
	bw := New(w)
	defer bw.Close() // want "PV002"
	io.WriteString(bw, text)
	return bw.Close()
}

// WriteSum writes the parts, and how many there were.
func WriteSum(w io.Writer, parts ...string) error {
	bw := New(w)
	for _, p := range parts {
		io.WriteString(bw, p)
	}
	if err := bw.Close(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(bw, "%d parts", len(parts)) // want "PV001"
	return err
}
