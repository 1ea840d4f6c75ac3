// Right: first round by index
package r16

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

func Last(w io.Writer, vs []any) {
	var last *bytes.Buffer
	for i, v := range vs {
		b := getBuf()
		fmt.Fprint(b, v)
		if i > 0 {
			putBuf(last)
		}
		last = b
	}
	if len(vs) > 0 {
		w.Write(last.Bytes())
		putBuf(last)
	}
}
