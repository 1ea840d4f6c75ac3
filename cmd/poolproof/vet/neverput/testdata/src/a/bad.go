package a

import (
	"bufs"
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func never() int {
	b := buffers.Get().(*bytes.Buffer) // want `b is got from a pool and never put`
	return b.Len()
}

func wrapped() string {
	b := bufs.Get() // want `never put`
	return b.String()
}
