// Right: iter.Seq that gets and puts inside
package r4

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

func Words(r io.Reader) iter.Seq[string] {
	return func(yield func(string) bool) {
		b := getBuf()
		defer putBuf(b)
		b.ReadFrom(r)
		for w := range bytes.FieldsSeq(b.Bytes()) {
			if !yield(string(w)) {
				return
			}
		}
	}
}
