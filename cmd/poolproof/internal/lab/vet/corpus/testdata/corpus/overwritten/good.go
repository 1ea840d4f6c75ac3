package overwritten

import (
	"bytes"
	"sync"
)

func (s *server) setNew(size int) {
	s.pool.New = func() any { return bytes.NewBuffer(make([]byte, 0, size)) } // fine "PV009" only New
}

func newServer(name string) *server {
	s := &server{name: name}
	s.pool = sync.Pool{New: func() any { return new(bytes.Buffer) }} // fine "PV009" a fresh server
	return s
}

func newServerNew() (s *server) {
	s = new(server)
	s.pool = sync.Pool{New: func() any { return new(bytes.Buffer) }} // fine "PV009" a fresh server
	return
}

func literal(name string) *server {
	return &server{name: name, pool: sync.Pool{New: func() any { return new(bytes.Buffer) }}} // fine "PV009" a literal
}

type pointers struct{ pool *sync.Pool }

func (p *pointers) exchange(q *sync.Pool) {
	p.pool = q // fine "PV009 PV019" a pointer
}

func local() *sync.Pool {
	var s server
	s.pool = sync.Pool{New: func() any { return new(bytes.Buffer) }} // fine "PV009" a local
	return &s.pool
}

var global sync.Pool

func init() {
	global = sync.Pool{New: func() any { return new(bytes.Buffer) }} // fine "PV009" before anything runs
}
