// Right: pooled bytes.Reader and gzip.Writer over what the caller has
package r05

import (
	"bytes"
	"compress/gzip"
	"io"
	"sync"
)

var readers = sync.Pool{New: func() any { return new(bytes.Reader) }}
var zips = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

func Compress(dst *bytes.Buffer, src []byte) ([]byte, error) {
	r := readers.Get().(*bytes.Reader)
	z := zips.Get().(*gzip.Writer)
	r.Reset(src)
	z.Reset(dst)
	_, err := io.Copy(z, r)
	if cerr := z.Close(); err == nil {
		err = cerr
	}
	zips.Put(z)
	readers.Put(r)
	dst.Write(src[:1])
	return dst.Bytes(), err
}
