// Package overwritten assigns over pools that are in use.
package overwritten

import (
	"bytes"
	"sync"
)

type server struct {
	name string
	pool sync.Pool
	big  struct{ pool sync.Pool }
}

func (s *server) reset(size int) {
	s.pool = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, size)) }} // want "PV009"
}

func configure(s *server) {
	s.name = "configured"
	s.pool = sync.Pool{} // want "PV009"
}

func (s *server) nested() {
	s.big.pool = sync.Pool{New: func() any { return new(bytes.Buffer) }} // want "PV009"
}

func through(p *sync.Pool) {
	*p = sync.Pool{New: p.New} // want "PV009"
}

// The whole struct, and with it the pool in it.
func (s *server) clear() {
	*s = server{name: s.name} // want "PV009"
}
