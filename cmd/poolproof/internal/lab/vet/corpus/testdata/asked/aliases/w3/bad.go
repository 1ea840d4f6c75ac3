// Wrong: both aliases deferred
package w3

import (
	"bytes"
	"compress/gzip"
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

func Send(w io.Writer, v any, compress bool) error {
	plain := getBuf()
	defer putBuf(plain)
	fmt.Fprint(plain, v)
	out := plain
	if compress {
		out = getBuf()
		z := gzip.NewWriter(out)
		z.Write(plain.Bytes())
		z.Close()
	}
	defer putBuf(out) // want "PV002" out is plain if compress is false
	_, err := w.Write(out.Bytes())
	return err
}
