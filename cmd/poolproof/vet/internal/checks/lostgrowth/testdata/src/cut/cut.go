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

// A pooled struct has less of its slice each time, if no code gives it another.

type reader struct {
	buf   []byte
	whole []byte
	rest  []byte
	own   *[]byte
	twice *[]byte
}

var readers = sync.Pool{New: func() any { return &reader{buf: make([]byte, 100), whole: make([]byte, 100)} }}

func (r *reader) next(n int) []byte {
	p := r.buf[:n]
	r.buf = r.buf[n:] // want `this cuts off the beginning of`
	return p
}

func (r *reader) first(n int) byte {
	r.rest = r.whole[:n]
	r.rest = r.rest[1:]
	return r.rest[0]
}

func read(n int) byte {
	r := readers.Get().(*reader)
	defer readers.Put(r)
	r.buf = r.buf[:cap(r.buf)]
	return r.next(n)[0] + r.first(n)
}

var slabs = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func (r *reader) skip(n int) {
	*r.own = (*r.own)[n:] // want `this cuts off the beginning of`
	*r.twice = (*r.own)[n:]
}

func (r *reader) close() {
	slabs.Put(r.own)
	slabs.Put(r.twice)
	r.own, r.twice = nil, nil
}
