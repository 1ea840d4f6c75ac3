// Right: reset behind a field
package r1

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
	r.body.Reset()
	fmt.Fprint(r.body, v)
	s := r.body.String()
	bufs.Put(r.body)
	return s
}
