package a

import (
	"bytes"
	"sync"
)

var without sync.Pool

func plain() *bytes.Buffer {
	return without.Get().(*bytes.Buffer) // want `PV018 nil-assert \(error\): the pool without has no New, so Get may return nil and this type assertion would panic`
}

func plainPut(b *bytes.Buffer) { without.Put(b) }

type codec struct{ pool *sync.Pool }

func newCodec() *codec { return &codec{pool: &sync.Pool{}} }

func (c *codec) get() *bytes.Buffer {
	b := c.pool.Get().(*bytes.Buffer) // want `the pool codec.pool has no New`
	b.Reset()
	return b
}

var limited = sync.Pool{New: func() any {
	if full() {
		return nil
	}
	return new(bytes.Buffer)
}}

func full() bool { return false }

func fromLimited() *bytes.Buffer {
	return limited.Get().(*bytes.Buffer) // want `New of the pool limited may return nil`
}

func inner() {
	var p sync.Pool
	p.Put(new(bytes.Buffer))
	_ = p.Get().(*bytes.Buffer) // want `the pool p has no New`
}

// A pointer to which nobody assigns a pool is no pool.
var nowhere *sync.Pool

func fromNowhere() *bytes.Buffer {
	return nowhere.Get().(*bytes.Buffer) // want `nothing is ever assigned to the \*sync.Pool nowhere, so it is nil`
}
