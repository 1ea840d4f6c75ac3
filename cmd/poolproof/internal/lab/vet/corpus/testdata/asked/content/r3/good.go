// Right: a broken connection is not put: a field of the object decides
package r3

import (
	"io"
	"sync"
)

type conn struct {
	bad bool
	buf []byte
}

var conns = sync.Pool{New: func() any { return &conn{buf: make([]byte, 4096)} }}

func (c *conn) do(r io.Reader) (int, error) {
	n, err := r.Read(c.buf)
	c.bad = err != nil
	return n, err
}

func release(c *conn) {
	if c.bad {
		return
	}
	conns.Put(c)
}

func Do(r io.Reader) (int, error) {
	c := conns.Get().(*conn)
	defer release(c)
	return c.do(r)
}
