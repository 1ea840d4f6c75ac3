// Right: old := last; last = b; put(old)
package r09

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

func Last(w io.Writer, vs []any) (err error) {
	var last *bytes.Buffer
	for _, v := range vs {
		b := getBuf()
		fmt.Fprint(b, v)
		old := last
		last = b
		if old != nil {
			putBuf(old)
		}
	}
	if last != nil {
		_, err = w.Write(last.Bytes())
		putBuf(last)
	}
	return err
}
