// Wrong: Reset is no ending on one path
package w1

import (
	"bytes"
	"encoding/json"
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
	b := getBuf()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		b.Reset()
		return err // want "PV005" Reset does not put b
	}
	_, err := w.Write(b.Bytes())
	putBuf(b)
	return err
}
