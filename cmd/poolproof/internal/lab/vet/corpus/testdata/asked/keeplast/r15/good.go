// Right: values come from a channel; only newest is kept
package r15

import (
	"bytes"
	"fmt"
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

func Newest(in <-chan any, w io.Writer) {
	var last *bytes.Buffer
	for v := range in {
		b := getBuf()
		fmt.Fprint(b, v)
		if last != nil {
			putBuf(last)
		}
		last = b
	}
	if last != nil {
		defer putBuf(last)
		w.Write(last.Bytes())
	}
}
