// Wrong: put in a recover beside an explicit put before a call that may panic
package w2

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
			putBuf(b) // want "PV002" if notify panics, b is put already
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	fmt.Fprint(b, v)
	n, err := w.Write(b.Bytes())
	putBuf(b)
	notify(n)
	return err
}
