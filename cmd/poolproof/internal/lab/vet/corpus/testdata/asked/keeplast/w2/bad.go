// Wrong: the kept one is put in the round, and read after the loop
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

func Last(w io.Writer, vs []any) error {
	var last *bytes.Buffer
	for _, v := range vs {
		b := getBuf()
		fmt.Fprint(b, v)
		last = b
		putBuf(b)
	}
	if last == nil {
		return nil
	}
	_, err := w.Write(last.Bytes()) // want "PV001" the last b was put in the loop
	return err
}
