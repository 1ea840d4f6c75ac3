// Wrong: Write puts the slice of its caller
package w2

import (
	"sync"
)

var slabs = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

type sink struct{ n int }

func (s *sink) Write(p []byte) (int, error) {
	s.n += len(p)
	slabs.Put(&p) // want "PV021" p is the caller's
	return len(p), nil
}
