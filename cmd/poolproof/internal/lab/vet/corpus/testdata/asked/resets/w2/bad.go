// Wrong: Reset instead of Put
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

func Send(w io.Writer, v any) error {
	b := getBuf() // want "PV006" Reset does not put b
	defer b.Reset()
	fmt.Fprint(b, v)
	_, err := w.Write(b.Bytes())
	return err
}
