// Right: put in a recover, variable set to nil after the explicit put
package r2

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

func Handle(w io.Writer, v any, notify func(int)) (err error) {
	b := getBuf()
	defer func() {
		if r := recover(); r != nil {
			if b != nil {
				putBuf(b)
			}
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	fmt.Fprint(b, v)
	n, err := w.Write(b.Bytes())
	putBuf(b)
	b = nil
	notify(n)
	return err
}
