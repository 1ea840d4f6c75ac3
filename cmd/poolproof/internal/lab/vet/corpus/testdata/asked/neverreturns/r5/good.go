// Right: deferred put, and a select without cases
package r5

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

func Block(w io.Writer) {
	b := getBuf()
	defer putBuf(b)
	b.WriteString("ready\n")
	w.Write(b.Bytes())
	select {}
}
