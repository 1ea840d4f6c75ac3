// Right: LoadOrStore keeps a copy
package r8

import (
	"bytes"
	"encoding/json"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

var cache sync.Map

func Cached(key string, v any) ([]byte, error) {
	b := getBuf()
	defer putBuf(b)
	if err := json.NewEncoder(b).Encode(v); err != nil {
		return nil, err
	}
	got, _ := cache.LoadOrStore(key, bytes.Clone(b.Bytes()))
	return got.([]byte), nil
}
