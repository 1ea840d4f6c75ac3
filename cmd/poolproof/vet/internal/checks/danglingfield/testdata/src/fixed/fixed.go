package fixed

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type conn struct {
	buf   *bytes.Buffer
	value bytes.Buffer
	inner *conn
}

func (c *conn) Close() {
	buffers.Put(c.buf) // want `a second call puts it again`
}

func (c *conn) Free() { buffers.Put(c.buf) } // want `a second call puts it again`

func (c *conn) tested() {
	if c.buf != nil {
		buffers.Put(c.buf) // want `field buf still refers`
	}
}

func (c *conn) early() {
	if c.inner.buf == nil {
		return
	}
	buffers.Put(c.inner.buf) // want `field buf still refers`
}

func (c *conn) otherwise(n int) {
	if c.buf == nil {
		n++
	} else {
		buffers.Put(c.buf) // want `field buf still refers`
	}
}

func (c *conn) prepared() {
	n := c.value.Len()
	c.inner = nil
	c.buf.Reset()
	c.buf.Grow(n)      // for the next one
	buffers.Put(c.buf) // want `field buf still refers`
}

// No fix: a second call would use nil before it comes to the put.
func (c *conn) usedBefore() int {
	n := c.buf.Len()
	buffers.Put(c.buf) // want `field buf still refers`
	return n
}

// No fix: it is used again.
func (c *conn) used() int {
	buffers.Put(c.buf) // want `field buf still refers`
	return c.buf.Len()
}

// Nor where the line holds more.
func (c *conn) line() {
	c.inner = nil; buffers.Put(c.buf) // want `field buf still refers`
}

// But where it is all of the body.
func (c *conn) oneLine() error { buffers.Put(c.buf); return nil } // want `field buf still refers`

// And after what gets it ready.
func (c *conn) ready() { c.buf.Reset(); buffers.Put(c.buf) } // want `field buf still refers`

// Nor of a deferred call.
func (c *conn) deferred() {
	defer buffers.Put(c.buf) // want `field buf still refers`
	c.inner = nil
}

// Nor by another name.
func (c *conn) named() {
	b := c.buf
	buffers.Put(b) // want `field buf still refers`
}

// Nor in a loop.
func (c *conn) looped(n int) {
	for range n {
		if n > 2 {
			buffers.Put(c.buf) // want `field buf still refers`
			break
		}
	}
}

// Nor through a function that may do more.
func (c *conn) other() {
	give(c.buf) // want `field buf still refers`
}

func give(b *bytes.Buffer) {
	b.Reset()
	buffers.Put(b)
}
