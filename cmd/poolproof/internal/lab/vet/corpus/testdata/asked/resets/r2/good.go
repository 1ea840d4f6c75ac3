// Right: gzip writer, deferred literal
package r2

import (
	"compress/gzip"
	"io"
	"sync"
)

var zips = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

func Compress(w io.Writer, p []byte) error {
	z := zips.Get().(*gzip.Writer)
	defer func() {
		z.Reset(io.Discard)
		zips.Put(z)
	}()
	z.Reset(w)
	if _, err := z.Write(p); err != nil {
		return err
	}
	return z.Close()
}
