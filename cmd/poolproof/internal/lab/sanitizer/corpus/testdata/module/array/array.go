// Package array holds pooled objects with slices in their fields: which of
// these arrays go with the object when it is put?
package array

import "sync"

// Encoder has an array that New made.
type Encoder struct {
	out []byte
	n   int
}

var encoders = sync.Pool{New: func() any { return &Encoder{out: make([]byte, 128)} }}

// Encode returns a window of the pooled array.
func Encode(text string) []byte {
	e := encoders.Get().(*Encoder)
	defer encoders.Put(e)
	e.n = copy(e.out, text)
	return e.out[:e.n]
}

// EncodeKept writes to the array after Put.
func EncodeKept(text string) {
	e := encoders.Get().(*Encoder)
	out := e.out
	encoders.Put(e)
	copy(out, text)
}

// Builder grows its array in use and truncates it in place at the next Get.
type Builder struct {
	buf  []byte
	part part
}

type part struct{ marks []int }

var builders = sync.Pool{New: func() any { return new(Builder) }}

func newBuilder() *Builder {
	b := builders.Get().(*Builder)
	b.buf = b.buf[:0]
	b.part.marks = b.part.marks[:0]
	return b
}

// Build returns what grew in use, without a copy.
func Build(texts ...string) []byte {
	b := newBuilder()
	defer builders.Put(b)
	for _, text := range texts {
		b.buf = append(b.buf, text...)
	}
	return b.buf
}

// Marks returns an array of integers of a nested struct.
func Marks(n int) []int {
	b := newBuilder()
	defer builders.Put(b)
	for i := range n {
		b.part.marks = append(b.part.marks, i)
	}
	return b.part.marks
}

// Splitter truncates by append, in its method, and holds strings.
type Splitter struct {
	fields []string
	seen   int
}

var splitters = sync.Pool{New: func() any { return &Splitter{} }}

func (s *Splitter) split(text string) {
	s.fields = append(s.fields[:0], text, text[1:], text[2:])
	s.seen++
}

// Split returns the strings' array, which is the pool's.
func Split(text string) []string {
	s := splitters.Get().(*Splitter)
	defer splitters.Put(s)
	s.split(text)
	return s.fields
}

// Matrix has children that New made: they go with it.
type Matrix struct {
	cells *[32]float64
	meta  *Meta
}

type Meta struct{ rows, columns int }

var matrices = sync.Pool{New: func() any { return &Matrix{cells: new([32]float64), meta: new(Meta)} }}

// Cells returns a child's memory.
func Cells() []float64 {
	m := matrices.Get().(*Matrix)
	defer matrices.Put(m)
	m.cells[0] = 1
	return m.cells[:]
}

// Shape returns a child.
func Shape() *Meta {
	m := matrices.Get().(*Matrix)
	defer matrices.Put(m)
	m.meta.rows, m.meta.columns = 4, 8
	return m.meta
}

// Copied returns a copy of the struct, which is not a copy of its array.
func Copied(text string) Encoder {
	e := encoders.Get().(*Encoder)
	defer encoders.Put(e)
	e.n = copy(e.out, text)
	return *e
}
