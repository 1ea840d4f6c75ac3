// Package moved has objects that go elsewhere whole: in lists, in structs that are copied,
// behind interfaces and by reflection; each beside a defect of the same shape.
package moved

import (
	"bufio"
	"io"
	"sync"
)

type note struct {
	text []byte
	next *note
}

var notes = sync.Pool{New: func() any { return new(note) }}

func newNote(s string) *note {
	n := notes.Get().(*note)
	n.text = append(n.text[:0], s...)
	return n
}

func (n *note) free()          { notes.Put(n) }
func (n *note) String() string { return string(n.text) }

var writers = sync.Pool{New: func() any { return bufio.NewWriter(nil) }}

func getWriter(w io.Writer) *bufio.Writer {
	b := writers.Get().(*bufio.Writer)
	b.Reset(w)
	return b
}

type lineWriter struct {
	w *bufio.Writer
	n int
}

func newLineWriter(w io.Writer) *lineWriter { return &lineWriter{w: getWriter(w)} }

func (l *lineWriter) Close() error {
	err := l.w.Flush()
	writers.Put(l.w)
	l.w = nil
	return err
}

var rows = sync.Pool{New: func() any { return new([]any) }}

type table struct {
	rows []any
	n    int
}

type config struct {
	w    *bufio.Writer
	size int
}

// copyNote gets only where it is given none.
func copyNote(dst, src *note) *note {
	if dst == nil {
		dst = notes.Get().(*note)
	}
	dst.text = append(dst.text[:0], src.text...)
	return dst
}
