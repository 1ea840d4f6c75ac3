// Right: lines are copied in a range-over-func body
package r15

import (
	"bytes"
	"io"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

func LastChunk(r io.Reader) string {
	b := getBuf()
	defer putBuf(b)
	b.ReadFrom(r)
	var last string
	for line := range bytes.Lines(b.Bytes()) {
		if len(line) > 1 {
			last = string(line)
		}
	}
	return last
}
