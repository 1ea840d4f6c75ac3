package a

import (
	"bufs"
	"bytes"
)

func getter() *bytes.Buffer { return bufs.Get() }

type conn struct{ b *bytes.Buffer }

func newConn() *conn { return &conn{b: bufs.Get()} }

func (c *conn) open() { c.b = bufs.Get() }

func (c *conn) take() *bytes.Buffer { return c.b }

func lease() (*bytes.Buffer, func()) {
	b := bufs.Get()
	return b, func() { bufs.Put(b) }
}

func leased() int {
	b, done := lease()
	defer done()
	return b.Len()
}

func collected(n int) {
	var all []*bytes.Buffer
	for range n {
		all = append(all, bufs.Get())
	}
	for _, b := range all {
		bufs.Put(b)
	}
}

func byValue(list map[string]*bytes.Buffer) {
	list["x"] = bufs.Get()
}
