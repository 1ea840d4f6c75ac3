// Wrong: put under a flag in a deferred literal beside an explicit put
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
	sent := false
	defer func() {
		if !sent {
			putBuf(b)
		}
	}()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		putBuf(b) // want "PV002" the deferred literal puts b too, sent is false
		return err
	}
	_, err := w.Write(b.Bytes())
	putBuf(b)
	sent = true
	return err
}
