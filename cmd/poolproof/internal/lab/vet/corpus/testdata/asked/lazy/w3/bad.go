// Wrong: gzip.Reader over the pooled buffer is returned
package w3

import (
	"bytes"
	"compress/gzip"
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

func Unzip(r io.Reader) (io.ReadCloser, error) {
	b := getBuf()
	defer putBuf(b)
	if _, err := io.Copy(b, r); err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(b)
	if err != nil {
		return nil, err
	}
	return z, nil // want "PV003" it reads b later
}
