// Wrong: recover in a deferred literal puts, and a plain deferred put does as well
package w5

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
	defer putBuf(b) // want "PV002" after a panic the literal has put b
	defer func() {
		if r := recover(); r != nil {
			putBuf(b)
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	fmt.Fprint(b, v)
	_, err = w.Write(b.Bytes())
	return err
}
