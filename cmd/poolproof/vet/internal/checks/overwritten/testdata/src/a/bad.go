package a

import "sync"

type server struct {
	size int
	pool sync.Pool
	sub  struct{ pool sync.Pool }
	in   *inner
}

type inner struct{ pool sync.Pool }

func (s *server) SetSize(n int) {
	s.size = n
	s.pool = sync.Pool{New: func() any { b := make([]byte, n); return &b }} // want `PV009 pool-overwritten \(error\): s\.pool is overwritten while other code may be using it`
}

func (s *server) Drop() {
	s.pool = sync.Pool{} // want `s.pool is overwritten`
}

func reset(s *server, n int) {
	s.sub.pool = sync.Pool{} // want `s.sub.pool is overwritten`
	(*s).pool = sync.Pool{}  // want `\(\*s\).pool is overwritten`
	if n > 0 {
		s.in.pool = sync.Pool{} // want `s.in.pool is overwritten`
	}
}

func (s *server) both() {
	s.size, s.pool = 1, sync.Pool{} // want `s.pool is overwritten`
}

func use(s *server) { s.both(); (*server).both(s) }

func through(p *sync.Pool) {
	*p = sync.Pool{New: p.New} // want `\*p is overwritten while other code may be using it`
}

func configure(s *server) {
	s.pool = sync.Pool{} // want `s.pool is overwritten`
}

func (s *server) clear() {
	*s = server{size: s.size} // want `\*s is overwritten while other code may be using the pool in it`
}
