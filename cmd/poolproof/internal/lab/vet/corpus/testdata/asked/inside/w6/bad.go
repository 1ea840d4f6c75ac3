// Wrong: a captured variable is assigned in a callback of a lender
package w6

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

func withBuf(f func(b *bytes.Buffer) error) error {
	b := getBuf()
	defer putBuf(b)
	return f(b)
}

func Render(v any) ([]byte, error) {
	var out []byte
	err := withBuf(func(b *bytes.Buffer) error {
		if err := json.NewEncoder(b).Encode(v); err != nil {
			return err
		}
		out = b.Bytes() // want "PV014" out is memory of what was lent
		return nil
	})
	return out, err
}
