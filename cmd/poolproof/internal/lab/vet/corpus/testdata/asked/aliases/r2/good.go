// Right: each of the two is put once
package r2

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

func Pick(w io.Writer, a, b string, first bool) {
	x, y := getBuf(), getBuf()
	x.WriteString(a)
	y.WriteString(b)
	sel := y
	if first {
		sel = x
	}
	w.Write(sel.Bytes())
	putBuf(x)
	putBuf(y)
}
