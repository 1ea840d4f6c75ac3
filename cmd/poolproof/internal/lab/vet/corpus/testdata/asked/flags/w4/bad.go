// Wrong: flag that one path forgets to set: lost
package w4

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

func Encode(w io.Writer, v any) error {
	b := getBuf()
	failed := false
	defer func() {
		if failed {
			putBuf(b)
		}
	}()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err // want "PV005" failed is false here, so b is lost
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		failed = true
		return err
	}
	putBuf(b)
	return nil
}
