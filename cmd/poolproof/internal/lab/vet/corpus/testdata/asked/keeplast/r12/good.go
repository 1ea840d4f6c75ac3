// Right: swap of two in one statement
package r12

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

func Deltas(w io.Writer, vs []any) {
	prev, cur := getBuf(), getBuf()
	for _, v := range vs {
		cur.Reset()
		fmt.Fprint(cur, v)
		if !bytes.Equal(prev.Bytes(), cur.Bytes()) {
			w.Write(cur.Bytes())
		}
		prev, cur = cur, prev
	}
	putBuf(prev)
	putBuf(cur)
}
