// Right: atomic.Pointer keeps a copy
package r9

import (
	"bytes"
	"encoding/json"
	"sync"
	"sync/atomic"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

var latest atomic.Pointer[[]byte]

func Publish(v any) error {
	b := getBuf()
	defer putBuf(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return err
	}
	data := bytes.Clone(b.Bytes())
	latest.Store(&data)
	return nil
}
