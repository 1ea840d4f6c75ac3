package cut

import "sync"

var pool = sync.Pool{New: func() any { return make([]byte, 4096) }}

type seg struct {
	b   [][]byte
	cur []byte
	all []byte
}

func (s *seg) read(p []byte) int {
	n := copy(p, s.b[0])
	if n == len(s.b[0]) {
		pool.Put(s.b[0])
		s.b = s.b[1:]
	} else {
		s.b[0] = s.b[0][n:] // want `this cuts off the beginning of`
	}
	return n
}

func (s *seg) readCur(p []byte) int {
	n := copy(p, s.cur)
	s.cur = s.cur[n:] // want `this cuts off the beginning of`
	return n
}

func (s *seg) close() { pool.Put(s.cur) }

func (s *seg) readAll(p []byte) int {
	n := copy(p, s.all)
	s.all = s.all[:n]
	return n
}

func (s *seg) free() { pool.Put(s.all) }
