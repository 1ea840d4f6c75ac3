// Package pipegzip compresses while it is read.
package pipegzip

import (
	"compress/gzip"
	"io"
	"sync"
)

var writers = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// Compress returns a reader of the compressed content of r.
func Compress(r io.Reader) io.ReadCloser {
	pr, pw := io.Pipe()
	go func() {
		zw := writers.Get().(*gzip.Writer)
		defer writers.Put(zw)
		zw.Reset(pw)
		_, err := io.Copy(zw, r)
		if cerr := zw.Close(); err == nil {
			err = cerr
		}
		pw.CloseWithError(err)
	}()
	return pr
}
