package a

import "sync"

// A constructor, in one function or several.
func NewServer(n int) *server {
	s := &server{size: n}
	s.pool = sync.Pool{New: func() any { return new(int) }}
	s.ready()
	return s
}

func (s *server) ready() {
	s.in = &inner{}
	s.in.pool = sync.Pool{}
	s.sub.pool = sync.Pool{}
}

func (s *server) init()      { s.pool = sync.Pool{} }
func (s *server) Init(n int) { s.pool = sync.Pool{} }

func newInner(i *inner) { i.pool = sync.Pool{} }

// Once, when it is first needed.
func (s *server) lazy() {
	if s.pool.New == nil {
		s.pool = sync.Pool{New: func() any { return new(int) }}
	}
	if s.size == 0 {
		s.pool = sync.Pool{}
	}
}

// An option runs while the object is made.
func WithSize(n int) func(*server) {
	return func(s *server) { s.pool = sync.Pool{} }
}

var once sync.Once

func (s *server) get() any {
	once.Do(func() { s.pool = sync.Pool{} })
	return s.pool.Get()
}

// Only New changes.
func (s *server) setNew(f func() any) { s.pool.New = f }

// The pool is behind a pointer: what uses the old one goes on.
type swapped struct{ pool *sync.Pool }

func (s *swapped) set() { s.pool = &sync.Pool{} }

// A copy of our own.
func own(s server) server {
	s.pool = sync.Pool{}
	return server{}
}

func local() {
	var p sync.Pool
	p = sync.Pool{}
	p.Get()
}

// There is no pool in it.
func (s *swapped) reset() { *s = swapped{} }

func fresh() {
	s := new(server)
	*s = server{size: 1}
}
