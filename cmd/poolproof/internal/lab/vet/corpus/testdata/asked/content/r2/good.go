// Right: too large to keep
package r2

import (
	"bytes"
	"fmt"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func putBuf(b *bytes.Buffer) {
	if b.Cap() > 64<<10 {
		return
	}
	b.Reset()
	bufs.Put(b)
}

func Render(v any) string {
	b := bufs.Get().(*bytes.Buffer)
	defer putBuf(b)
	fmt.Fprint(b, v)
	return b.String()
}
