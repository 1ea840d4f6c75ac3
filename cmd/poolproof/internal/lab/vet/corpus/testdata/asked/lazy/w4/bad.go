// Wrong: base64 decoder in io.LimitReader over the pooled buffer
package w4

import (
	"bytes"
	"encoding/base64"
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

func Decode(r io.Reader, max int64) (io.Reader, error) {
	b := getBuf()
	defer putBuf(b)
	if _, err := io.Copy(b, r); err != nil {
		return nil, err
	}
	return io.LimitReader(base64.NewDecoder(base64.StdEncoding, b), max), nil // want "PV003" it reads b later
}
