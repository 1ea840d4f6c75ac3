// Wrong: an alias made in both branches, and both names put
package w2

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
	var sel *bytes.Buffer
	if first {
		sel = x
	} else {
		sel = y
	}
	w.Write(sel.Bytes())
	putBuf(sel)
	putBuf(x) // want "PV002" x or y is sel
	putBuf(y)
}
