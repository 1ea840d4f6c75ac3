// Right: cur begins before the loop
package r02

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

func Last(w io.Writer, vs []any) error {
	cur := getBuf()
	for _, v := range vs {
		next := getBuf()
		next.Write(cur.Bytes())
		fmt.Fprint(next, v)
		putBuf(cur)
		cur = next
	}
	_, err := w.Write(cur.Bytes())
	putBuf(cur)
	return err
}
