// Package typemismatch puts into a pool what its Get does not expect.
package typemismatch

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

type packet struct{ data [64]byte }

var (
	buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}
	packets = sync.Pool{New: func() any { return new(packet) }}
	slices  = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}
	words   = sync.Pool{New: func() any { return new(strings.Builder) }}
	readers = sync.Pool{New: func() any { return strings.NewReader("") }} // want "PV007"
)

func pointerToPointer(w io.Writer, name string) {
	b := buffers.Get().(*bytes.Buffer) // may "PV006 PV008"
	b.Reset()
	b.WriteString(name)
	b.WriteTo(w)
	buffers.Put(&b) // want "PV007"
}

func value(r io.Reader) error {
	p := packets.Get().(*packet) // may "PV006 PV008"
	_, err := io.ReadFull(r, p.data[:])
	packets.Put(*p) // want "PV007"
	return err
}

func sliceForPointer(name string) int {
	p := slices.Get().(*[]byte) // may "PV006 PV008"
	*p = append((*p)[:0], name...)
	n := len(*p)
	slices.Put(*p) // want "PV007"
	return n
}

func otherPool(name string) string {
	b := words.Get().(*strings.Builder)
	defer buffers.Put(b) // want "PV007"
	b.Reset()
	b.WriteString(name)
	return b.String()
}

func arrayForStruct(r io.Reader) error {
	p := packets.Get().(*packet) // may "PV006 PV008"
	_, err := r.Read(p.data[:])
	packets.Put(&p.data) // want "PV007"
	return err
}

// The pool is a field; Get and Put are in two methods.
type codec struct {
	scratch sync.Pool
	lines   sync.Pool
}

func newCodec() *codec {
	c := new(codec)
	c.scratch.New = func() any { return new(packet) }
	c.lines.New = func() any { return new([]string) }
	return c
}

func (c *codec) get() *packet { return c.scratch.Get().(*packet) }

func (c *codec) getLines() *[]string { return c.lines.Get().(*[]string) }

func (c *codec) put(p packet) { // may "PV008"
	c.scratch.Put(p) // want "PV007"
}

func (c *codec) putLines(s *[]byte) { c.lines.Put(s) } // want "PV007"

// New makes what this assertion refuses.
func asserted() int64 {
	r := readers.Get().(*bytes.Reader) // may "PV007"
	n := r.Size()
	readers.Put(r) // may "PV007"
	return n
}

// A named type is another type.
type line []byte

func named(text string) {
	p := slices.Get().(*[]byte) // may "PV006 PV008"
	l := line(append((*p)[:0], text...))
	slices.Put(&l) // want "PV007"
}
