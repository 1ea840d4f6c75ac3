package a

import (
	"bytes"
	"sync"
)

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuffer() *bytes.Buffer  { return pool.Get().(*bytes.Buffer) }
func putBuffer(b *bytes.Buffer) { pool.Put(b) }
func Exported() any             { return pool.Get() }

type store struct{}

func (*store) get() (*bytes.Buffer, error) { return getBuffer(), nil }
func (*store) other() *bytes.Buffer        { return nil }

func direct() {
	b := getBuffer() // want `PV020 require-defer: no deferred call puts what getBuffer gave`
	b.Reset()
	putBuffer(b)
}

func another() {
	b := getBuffer() // want `what getBuffer gave`
	c := getBuffer()
	defer putBuffer(c)
	putBuffer(b)
}

func deferredUse() {
	b := getBuffer() // want `what getBuffer gave`
	defer b.Reset()
}

func before() {
	var b *bytes.Buffer
	defer putBuffer(b)
	b = getBuffer() // want `what getBuffer gave`
}

func method(s *store) {
	b, _ := s.get() // want `what get gave`
	putBuffer(b)
}

func asserted() {
	b := Exported().(*bytes.Buffer) // want `what Exported gave`
	putBuffer(b)
}

func unnamed() {
	putBuffer(getBuffer()) // want `what getBuffer gave`
	getBuffer().Reset()    // want `what getBuffer gave`
}

func literal() {
	func() {
		b := getBuffer() // want `what getBuffer gave`
		putBuffer(b)
	}()
}
