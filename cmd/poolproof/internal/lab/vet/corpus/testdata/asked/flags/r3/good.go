// Right: put in a recover; the explicit put is the last that runs
package r3

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

func Handle(w io.Writer, v any) (err error) {
	b := getBuf()
	defer func() {
		if r := recover(); r != nil {
			putBuf(b)
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	fmt.Fprint(b, v)
	_, err = w.Write(b.Bytes())
	putBuf(b)
	return err
}
