// Package panicsafe calls handlers that may panic.
package panicsafe

import (
	"bytes"
	"fmt"
	"io"
	"sync"
)

type scratch struct {
	buf   bytes.Buffer
	depth int
}

var pool = sync.Pool{New: func() any { return new(scratch) }}

// Call calls f and returns what it wrote. A scratch whose f panicked is not used again.
func Call(f func(w io.Writer)) (out string, err error) {
	s := pool.Get().(*scratch)
	s.buf.Reset()
	s.depth = 1
	done := false
	defer func() {
		if done {
			pool.Put(s)
			return
		}
		err = fmt.Errorf("panic: %v", recover())
	}()
	f(&s.buf)
	out = s.buf.String()
	done = true
	return out, nil
}
