// Wrong: Reset of a gzip writer to nothing instead of Put
package w3

import (
	"compress/gzip"
	"io"
	"sync"
)

var zips = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

func Compress(w io.Writer, p []byte) error {
	z := zips.Get().(*gzip.Writer)
	z.Reset(w)
	if _, err := z.Write(p); err != nil {
		z.Reset(io.Discard)
		return err // want "PV005" z is lost
	}
	err := z.Close()
	z.Reset(io.Discard)
	zips.Put(z)
	return err
}
