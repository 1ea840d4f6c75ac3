// Right: the put function takes nil
package r08

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBuf(b *bytes.Buffer) {
	if b == nil {
		return
	}
	b.Reset()
	bufs.Put(b)
}

func Last(w io.Writer, vs []any) error {
	var last *bytes.Buffer
	for _, v := range vs {
		b := bufs.Get().(*bytes.Buffer)
		fmt.Fprint(b, v)
		putBuf(last)
		last = b
	}
	defer putBuf(last)
	if last == nil {
		return nil
	}
	_, err := w.Write(last.Bytes())
	return err
}
