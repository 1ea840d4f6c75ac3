// Wrong: wrong order: last = b comes before the put of last
package w4

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
		fmt.Fprint(b, v)
		first := last == nil
		last = b
		if !first {
			putBuf(last)
		}
	}
	if last == nil {
		return nil
	}
	_, err := w.Write(last.Bytes()) // want "PV001" from the second round on, the loop has put it
	putBuf(last)
	return err
}
