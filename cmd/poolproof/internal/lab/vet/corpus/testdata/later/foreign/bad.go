// Package foreign gives buffers to callers.
package foreign

import (
	"io"
	"sync"
)

var small = sync.Pool{New: func() any { return make([]byte, 512) }}
var large = sync.Pool{New: func() any { return make([]byte, 65536) }}

type conn struct {
	w     io.Writer
	stats struct{ n int }
}

// Write writes p, and keeps its memory for later.
func (c *conn) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.stats.n += n
	small.Put(p) // want "PV021"
	return n, err
}

func (c *conn) copyFrom(r io.Reader, long bool) (int64, error) {
	var b []byte
	if long {
		b = large.Get().([]byte)
	} else {
		b = small.Get().([]byte)
	}
	n, err := io.CopyBuffer(c.w, r, b)
	if long {
		small.Put(b) // want "PV021"
	} else {
		large.Put(b)
	}
	return n, err
}

type head struct{ b [16]byte }

var heads = sync.Pool{New: func() any { return new(head) }}

func (c *conn) header(kind byte) error {
	h, ok := heads.Get().(*head)
	if !ok {
		h = new(head)
	}
	h.b[0] = kind
	if kind > 9 {
		return io.ErrNoProgress // want "PV005"
	}
	_, err := c.w.Write(h.b[:])
	heads.Put(h)
	return err
}
