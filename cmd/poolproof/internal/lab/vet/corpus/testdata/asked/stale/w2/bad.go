// Wrong: stale bytes behind a composite literal
package w2

import (
	"bytes"
	"fmt"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type response struct {
	code int
	body *bytes.Buffer
}

func Render(v any) []byte {
	r := response{code: 200, body: bufs.Get().(*bytes.Buffer)}
	defer bufs.Put(r.body)
	fmt.Fprint(r.body, v)
	return bytes.Clone(r.body.Bytes()) // want "PV011" with what the last user wrote
}
