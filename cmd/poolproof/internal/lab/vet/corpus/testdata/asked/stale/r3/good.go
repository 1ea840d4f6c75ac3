// Right: all of the pooled struct is reset
package r3

import (
	"bytes"
	"sync"
)

type encoder struct {
	buf  bytes.Buffer
	ids  []int
	seen map[string]bool
}

var encoders = sync.Pool{New: func() any { return &encoder{seen: map[string]bool{}} }}

func Render(vs []string) string {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	e.buf.Reset()
	e.ids = e.ids[:0]
	clear(e.seen)
	for i, v := range vs {
		if !e.seen[v] {
			e.seen[v] = true
			e.ids = append(e.ids, i)
		}
	}
	for _, i := range e.ids {
		e.buf.WriteString(vs[i])
	}
	return e.buf.String()
}
