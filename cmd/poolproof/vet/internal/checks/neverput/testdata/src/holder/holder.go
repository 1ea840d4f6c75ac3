package holder

import (
	"bytes"
	"sync"
)

// A struct without a method that ends it: its users put what it holds.
type page struct {
	buf  *bytes.Buffer
	rows int
}

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func newPage() *page { return &page{buf: bufs.Get().(*bytes.Buffer)} }

func free(b *bytes.Buffer) { bufs.Put(b) }

func (p *page) add(row []byte) {
	p.buf.Write(row)
	p.rows++
}

func putAtOnce() {
	p := newPage()
	bufs.Put(p.buf)
}

func putByCallee(row []byte) {
	p := newPage()
	p.add(row)
	b := p.buf
	free(b)
}

func putAtEnd(row []byte) {
	p := newPage()
	defer bufs.Put(p.buf)
	p.add(row)
}

func putInLiteral(row []byte) {
	p := newPage()
	defer func() { free(p.buf) }()
	p.add(row)
}

func putInGoroutine(row []byte) {
	go func() {
		p := newPage()
		defer free(p.buf)
		p.add(row)
	}()
}

func neverPut(row []byte) int {
	p := newPage() // want `neither puts it nor hands it on`
	p.add(row)
	return p.rows
}

func anotherIsPut(row []byte) int {
	p, q := newPage(), newPage() // want `neither puts it nor hands it on`
	p.add(row)
	free(q.buf)
	return p.rows
}
