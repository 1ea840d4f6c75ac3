// Wrong: the putter puts what was lent as well; the caller reads it
package w3

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

func Serve(r io.Reader, w io.Writer) error {
	p := slabs.Get().(*[]byte)
	c := conns.Get().(*conn)
	c.buf = p
	n, err := r.Read(*c.buf)
	c.n = n
	c.release()
	if err != nil {
		return err
	}
	_, err = w.Write((*p)[:n]) // want "PV001" release has put p
	return err
}
