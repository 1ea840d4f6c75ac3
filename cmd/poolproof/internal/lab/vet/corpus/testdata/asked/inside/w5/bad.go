// Wrong: io.MultiReader over pooled memory is returned
package w5

import (
	"bytes"
	"io"
	"net/http"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

func Sniff(r io.Reader) (io.Reader, string, error) {
	b := getBuf()
	defer putBuf(b)
	if _, err := io.CopyN(b, r, 512); err != nil && err != io.EOF {
		return nil, "", err
	}
	ct := http.DetectContentType(b.Bytes())
	return io.MultiReader(bytes.NewReader(b.Bytes()), r), ct, nil // want "PV003" the reader reads memory of b
}
