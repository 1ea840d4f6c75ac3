package a

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type conn struct {
	buf  *bytes.Buffer
	once sync.Once
}

func (c *conn) finish() {
	buffers.Put(c.buf) // want `field buf still refers to the object`
}

// A literal that somebody keeps, and calls when he likes.
type job struct{ done func() }

func finishing(c *conn) job {
	return job{done: func() { buffers.Put(c.buf) }} // want `field buf still refers to the object`
}

// A method value is the method: what is wrong is said there.
func finisher(c *conn) job { return job{done: c.finish} }

type queue struct {
	list []*bytes.Buffer
	ring [4]*bytes.Buffer
	head int
}

func (q *queue) first() {
	buffers.Put(q.list[0]) // want `an element of field list still refers to the object`
}

func (q *queue) next() {
	buffers.Put(q.ring[q.head]) // want `an element of field ring still refers to the object`
	q.head = (q.head + 1) % len(q.ring)
}

func (q *queue) drain() {
	for _, b := range q.list {
		buffers.Put(b) // want `an element of field list still refers to the object`
	}
}

func (q *queue) tail(n int) {
	for _, b := range q.list[n:] {
		buffers.Put(b) // want `an element of field list still refers to the object`
	}
}

// What the field is given before the put is what is put.
type message struct {
	buf  *bytes.Buffer
	done bool
}

func (m *message) flush(last bool) {
	if m.buf == nil {
		m.buf = buffers.Get().(*bytes.Buffer)
	}
	m.buf.WriteByte('.')
	if last {
		buffers.Put(m.buf) // want `field buf still refers to the object`
	}
}

type parcel struct{ buf *bytes.Buffer }

func (p *parcel) once() {
	p.buf = buffers.Get().(*bytes.Buffer)
	p.buf.WriteByte('.')
	buffers.Put(p.buf) // want `field buf still refers to the object`
}
