// Right: the last is put by a deferred literal
package r03

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
	defer func() {
		if last != nil {
			putBuf(last)
		}
	}()
	for _, v := range vs {
		b := getBuf()
		if last != nil {
			putBuf(last)
		}
		last = b
		if _, err := fmt.Fprint(b, v); err != nil {
			return err
		}
	}
	if last != nil {
		w.Write(last.Bytes())
	}
	return nil
}
