// Right: deferred literal puts if err != nil, explicit put otherwise
package r4

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

func Encode(w io.Writer, v any) (err error) {
	b := getBuf()
	defer func() {
		if err != nil {
			putBuf(b)
		}
	}()
	if err = json.NewEncoder(b).Encode(v); err != nil {
		return err
	}
	if _, err = w.Write(b.Bytes()); err != nil {
		return err
	}
	putBuf(b)
	return nil
}
