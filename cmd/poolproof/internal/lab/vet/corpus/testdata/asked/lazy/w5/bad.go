// Wrong: http.Response with a body over pooled memory
package w5

import (
	"bytes"
	"fmt"
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

func Respond(v any) *http.Response {
	b := getBuf()
	defer putBuf(b)
	fmt.Fprint(b, v)
	return &http.Response{ // want "PV003" the body reads memory of b later
		StatusCode: 200,
		Body:       io.NopCloser(bytes.NewReader(b.Bytes())),
	}
}
