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
	b := getBuffer() // want `PV020 require-defer \(audit\): no deferred call puts the result of getBuffer`
	b.Reset()
	putBuffer(b)
}

func another() {
	b := getBuffer() // want `no deferred call puts the result of getBuffer`
	c := getBuffer()
	defer putBuffer(c)
	putBuffer(b)
}

func deferredUse() {
	b := getBuffer() // want `no deferred call puts the result of getBuffer`
	defer b.Reset()
}

func before() {
	var b *bytes.Buffer
	defer putBuffer(b)
	b = getBuffer() // want `no deferred call puts the result of getBuffer`
}

func method(s *store) {
	b, _ := s.get() // want `no deferred call puts the result of get`
	putBuffer(b)
}

func asserted() {
	b := Exported().(*bytes.Buffer) // want `no deferred call puts the result of Exported`
	putBuffer(b)
}

func unnamed() {
	putBuffer(getBuffer()) // want `no deferred call puts the result of getBuffer`
	getBuffer().Reset()    // want `no deferred call puts the result of getBuffer`
}

func literal() {
	func() {
		b := getBuffer() // want `no deferred call puts the result of getBuffer`
		putBuffer(b)
	}()
}
