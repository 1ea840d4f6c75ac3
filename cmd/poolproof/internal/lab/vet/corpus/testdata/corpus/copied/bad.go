// Package copied copies pools by value: the copy shares objects with the
// original while both believe to own them.
package copied

import (
	"bytes"
	"sync"
)

type server struct {
	name string
	pool sync.Pool
}

var global = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func assigned() *bytes.Buffer {
	p := global // want "PV019"
	return p.Get().(*bytes.Buffer)
}

func parameter(p sync.Pool) *bytes.Buffer { // want "PV019"
	return p.Get().(*bytes.Buffer)
}

func argument(s *server) *bytes.Buffer {
	return parameter(s.pool) // want "PV019"
}

func (s server) Name() string { return s.name } // want "PV019"

func ranged(list []server) (n int) {
	for _, s := range list { // want "PV019"
		n += len(s.name)
	}
	return n
}

func dereferenced(s *server) server { // may "PV019"
	return *s // want "PV019"
}
