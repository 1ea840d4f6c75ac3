// Wrong: the one before is overwritten
package w3

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
		last = b // want "PV005" the one before is lost in each round
	}
	if last == nil {
		return nil
	}
	_, err := w.Write(last.Bytes())
	putBuf(last)
	return err
}
