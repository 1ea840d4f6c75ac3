// Right: lent, not cleared, put, read
package r02

import (
	"sync"
)

type scanner struct {
	buf []byte
	pos int
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

func (s *scanner) run() (n int) {
	for ; s.pos < len(s.buf); s.pos++ {
		if s.buf[s.pos] == ',' {
			n++
		}
	}
	return n
}

func Count(b []byte) int {
	s := scanners.Get().(*scanner)
	s.buf = b
	s.pos = 0
	n := s.run()
	scanners.Put(s)
	if len(b) > 0 && b[0] == ',' {
		n--
	}
	return n
}
