// Wrong: a closure over the pooled buffer is returned
package w7

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

func Counter(r io.Reader) func(byte) int {
	b := getBuf()
	defer putBuf(b)
	b.ReadFrom(r)
	return func(c byte) int { return bytes.Count(b.Bytes(), []byte{c}) } // want "PV003" the function reads b later
}
