// Package lease returns a buffer together with the function that gives it back.
package lease

import (
	"bytes"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Acquire returns an empty buffer. The caller calls release when it is done.
func Acquire() (b *bytes.Buffer, release func()) {
	b = buffers.Get().(*bytes.Buffer)
	b.Reset()
	return b, func() { buffers.Put(b) }
}
