package a

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type conn struct {
	buf  *bytes.Buffer
	once sync.Once
}

func (c *conn) finish() {
	buffers.Put(c.buf) // want `field buf still refers to the object`
}
