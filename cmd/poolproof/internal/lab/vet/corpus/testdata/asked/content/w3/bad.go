// Wrong: a test of one byte of a slab
package w3

import (
	"errors"
	"io"
	"sync"
)

var slabs = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func Read(r io.Reader) (int, error) {
	p := slabs.Get().(*[]byte)
	n, err := r.Read(*p)
	if err != nil {
		slabs.Put(p)
		return 0, err
	}
	if (*p)[0] != 1 {
		return 0, errors.New("bad version") // want "PV005" p is lost here
	}
	slabs.Put(p)
	return n, nil
}
