// Wrong: iter.Seq over pooled memory is returned
package w6

import (
	"bytes"
	"io"
	"iter"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

func Words(r io.Reader) iter.Seq[[]byte] {
	b := getBuf()
	defer putBuf(b)
	b.ReadFrom(r)
	return bytes.FieldsSeq(b.Bytes()) // want "PV003" the sequence reads memory of b later
}
