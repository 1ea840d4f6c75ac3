// Right: io.MultiReader over a copy is returned
package r5

import (
	"bytes"
	"io"
	"net/http"
	"strings"
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
	return io.MultiReader(strings.NewReader(b.String()), r), ct, nil
}
