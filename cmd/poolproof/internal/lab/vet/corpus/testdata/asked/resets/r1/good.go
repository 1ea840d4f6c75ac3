// Right: Reset and Put on each path
package r1

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
		putBuf(b)
		return err
	}
	_, err := w.Write(b.Bytes())
	b.Reset()
	putBuf(b)
	return err
}
