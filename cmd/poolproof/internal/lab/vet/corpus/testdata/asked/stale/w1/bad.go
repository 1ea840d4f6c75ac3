// Wrong: stale bytes behind a field that the buffer is stored in
package w1

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

func Render(v any) string {
	r := &response{code: 200}
	r.body = bufs.Get().(*bytes.Buffer)
	fmt.Fprint(r.body, v)
	s := r.body.String() // want "PV011" with what the last user wrote
	bufs.Put(r.body)
	return s
}
