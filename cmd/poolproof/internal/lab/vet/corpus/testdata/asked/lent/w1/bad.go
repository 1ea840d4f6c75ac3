// Wrong: memory of the struct itself is written out after the put
package w1

import (
	"io"
	"sync"
)

type scanner struct {
	buf     []byte
	scratch []byte
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

func Upper(w io.Writer, b []byte) error {
	s := scanners.Get().(*scanner)
	s.buf = b
	s.scratch = append(s.scratch[:0], s.buf...)
	up := s.scratch
	s.buf = nil
	scanners.Put(s)
	_, err := w.Write(up) // want "PV001" up is memory of s
	return err
}
