// Package typestate has structs that own a pooled object through a field, over
// several methods.
package typestate

import (
	"bufio"
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuffer() *bytes.Buffer {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuffer(b *bytes.Buffer) { buffers.Put(b) }

var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}
