// Wrong: memory of the struct itself is returned under a deferred put
package w2

import (
	"sync"
)

type scanner struct {
	buf     []byte
	scratch []byte
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

func Upper(b []byte) []byte {
	s := scanners.Get().(*scanner)
	defer scanners.Put(s)
	s.buf = b
	s.scratch = append(s.scratch[:0], s.buf...)
	return s.scratch // want "PV003" memory of s
}
