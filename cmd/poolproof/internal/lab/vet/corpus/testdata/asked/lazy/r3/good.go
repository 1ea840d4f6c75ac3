// Right: lazy readers are read out before the put
package r3

import (
	"bytes"
	"compress/gzip"
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

func Decode(r io.Reader) ([]byte, error) {
	b := getBuf()
	defer putBuf(b)
	if _, err := io.Copy(b, r); err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, b))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return io.ReadAll(z)
}
