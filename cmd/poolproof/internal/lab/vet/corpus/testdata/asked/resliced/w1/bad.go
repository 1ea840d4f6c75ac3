// Wrong: the beginning of a field is cut off, and the struct put
package w1

import (
	"io"
	"sync"
)

type reader struct {
	buf []byte
	src io.Reader
}

var readers = sync.Pool{New: func() any { return &reader{buf: make([]byte, 0, 4096)} }}

func (r *reader) next(n int) []byte {
	p := r.buf[:n]
	r.buf = r.buf[n:] // may "PV013" here the beginning is cut off
	return p
}

func Skip(src io.Reader, n int) (x byte, err error) {
	r := readers.Get().(*reader)
	r.src = src
	m, err := r.src.Read(r.buf[:cap(r.buf)])
	r.buf = r.buf[:m]
	if err == nil && m > n {
		x = r.next(n)[0]
	}
	r.src = nil
	readers.Put(r) // want "PV013" the beginning of r.buf is cut off
	return x, err
}
