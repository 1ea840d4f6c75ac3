// Wrong: the putter puts what was lent as well; the caller puts it again
package w4

import (
	"io"
	"sync"
)

var slabs = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type conn struct {
	buf *[]byte
	n   int
}

var conns = sync.Pool{New: func() any { return new(conn) }}

func (c *conn) release() {
	slabs.Put(c.buf)
	c.buf = nil
	conns.Put(c)
}

func Serve(r io.Reader) (int, error) {
	p := slabs.Get().(*[]byte)
	defer slabs.Put(p) // want "PV002" release puts p
	c := conns.Get().(*conn)
	c.buf = p
	n, err := r.Read(*c.buf)
	c.release()
	return n, err
}
