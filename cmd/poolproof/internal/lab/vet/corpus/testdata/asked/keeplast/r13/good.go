// Right: error in the loop puts both
package r13

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
	var last *bytes.Buffer
	for _, v := range vs {
		b := getBuf()
		if _, err := fmt.Fprint(b, v); err != nil {
			putBuf(b)
			if last != nil {
				putBuf(last)
			}
			return err
		}
		if last != nil {
			putBuf(last)
		}
		last = b
	}
	if last != nil {
		w.Write(last.Bytes())
		putBuf(last)
	}
	return nil
}
