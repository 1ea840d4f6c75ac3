// Right: a literal replaces the last
package r14

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
	replace := func(b *bytes.Buffer) {
		if last != nil {
			putBuf(last)
		}
		last = b
	}
	for _, v := range vs {
		b := getBuf()
		fmt.Fprint(b, v)
		replace(b)
	}
	if last != nil {
		w.Write(last.Bytes())
	}
	replace(nil)
}
