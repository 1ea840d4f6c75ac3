// Wrong: cur form: old put twice after an error
package w6

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
	cur := getBuf()
	defer func() { putBuf(cur) }()
	for _, v := range vs {
		next := getBuf()
		putBuf(cur)
		if _, err := fmt.Fprint(next, v); err != nil {
			putBuf(next)
			return err // want "PV002" cur was put above, and the deferred literal puts it again
		}
		cur = next
	}
	_, err := w.Write(cur.Bytes())
	return err
}
