package a

import (
	"bufs"
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func never() int {
	b := buffers.Get().(*bytes.Buffer) // want `b comes from a pool, and this function neither puts it nor hands it on`
	return b.Len()
}

func wrapped() string {
	b := bufs.Get() // want `b comes from a pool, and this function neither puts it nor hands it on`
	return b.String()
}
