package kept

import (
	"bytes"
	"io"
	"sync"
)

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type encoder struct {
	w io.Writer
	b *bytes.Buffer
}

func newEncoder(w io.Writer) *encoder {
	return &encoder{w: w, b: pool.Get().(*bytes.Buffer)} // want `goes into the field b, out of which no code of the package takes it`
}

func (e *encoder) encode(s string) error {
	e.b.Reset()
	e.b.WriteString(s)
	_, err := e.w.Write(e.b.Bytes())
	return err
}

type second struct{ b *bytes.Buffer }

func newSecond() *second { return &second{b: pool.Get().(*bytes.Buffer)} }

func (s *second) take() *bytes.Buffer { return s.b }

type third struct{ b *bytes.Buffer }

var thirds = sync.Pool{New: func() any { return &third{b: pool.Get().(*bytes.Buffer)} }}

func (t *third) free() { thirds.Put(t) }

type fourth struct{ B *bytes.Buffer }

func newFourth() *fourth { return &fourth{B: pool.Get().(*bytes.Buffer)} }

type fifth struct{ b *bytes.Buffer }

func newFifth(end func(*bytes.Buffer)) *fifth {
	f := &fifth{b: pool.Get().(*bytes.Buffer)}
	return f
}

func (f *fifth) close(end func(*bytes.Buffer)) { end(f.b) }
