// Wrong: stale bytes of a buffer inside a pooled struct
package w3

import (
	"bytes"
	"fmt"
	"sync"
)

type encoder struct {
	buf   bytes.Buffer
	depth int
}

var encoders = sync.Pool{New: func() any { return new(encoder) }}

func Render(v any) string {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.depth = 0
	fmt.Fprint(&e.buf, v)
	return e.buf.String() // want "PV011" with what the last user wrote
}
