// Right: put behind a helper that panics, other path puts
package r4

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sync"
)

var bufs = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func getBuf() *bytes.Buffer {
	b := bufs.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

func putBuf(b *bytes.Buffer) { bufs.Put(b) }

func fail(format string, args ...any) {
	panic(fmt.Errorf(format, args...))
}

func Must(v any) string {
	b := getBuf()
	if err := json.NewEncoder(b).Encode(v); err != nil {
		fail("encode %T: %v", v, err)
	}
	s := b.String()
	putBuf(b)
	return s
}
