// Right: the last in a field
package r06

import (
	"bytes"
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

type stream struct{ last *bytes.Buffer }

func (s *stream) Feed(vs []any) {
	for _, v := range vs {
		b := getBuf()
		fmt.Fprint(b, v)
		if s.last != nil {
			putBuf(s.last)
		}
		s.last = b
	}
}

func (s *stream) Close() {
	if s.last != nil {
		putBuf(s.last)
		s.last = nil
	}
}
