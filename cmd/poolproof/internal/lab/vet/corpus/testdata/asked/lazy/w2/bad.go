// Wrong: json.Decoder over the pooled buffer is returned
package w2

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

func Items(r io.Reader) (*json.Decoder, error) {
	b := getBuf()
	defer putBuf(b)
	if _, err := io.Copy(b, r); err != nil {
		return nil, err
	}
	return json.NewDecoder(b), nil // want "PV003" it reads b later
}
