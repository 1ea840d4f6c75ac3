// Right: keep only what changed: continue puts the new one
package r17

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
	last := getBuf()
	defer func() { putBuf(last) }()
	for _, v := range vs {
		b := getBuf()
		fmt.Fprint(b, v)
		if bytes.Equal(b.Bytes(), last.Bytes()) {
			putBuf(b)
			continue
		}
		w.Write(b.Bytes())
		putBuf(last)
		last = b
	}
}
