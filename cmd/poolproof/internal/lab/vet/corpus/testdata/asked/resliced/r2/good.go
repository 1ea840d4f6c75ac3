// Right: the whole is kept beside the rest and restored
package r2

import (
	"io"
	"sync"
)

type reader struct {
	whole []byte
	rest  []byte
}

var readers = sync.Pool{New: func() any { return &reader{whole: make([]byte, 4096)} }}

func First(src io.Reader, n int) (x byte, err error) {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	m, err := src.Read(r.whole)
	r.rest = r.whole[:m]
	if err == nil && m > n {
		r.rest = r.rest[n:]
		x = r.rest[0]
	}
	r.rest = nil
	return x, err
}
