// Wrong: captured variable assigned in a range-over-func body over slices.Chunk of pooled memory
package w15

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

func LastChunk(r io.Reader) []byte {
	b := getBuf()
	defer putBuf(b)
	b.ReadFrom(r)
	var last []byte
	for line := range bytes.Lines(b.Bytes()) {
		if len(line) > 1 {
			last = line
		}
	}
	return last // want "PV003" last is memory of b
}
