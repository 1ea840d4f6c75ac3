// Package counted is right.
package counted

import (
	"sync"
	"sync/atomic"
)

type shared struct {
	refs atomic.Int32
	data []byte
}

var pool = sync.Pool{New: func() any { return &shared{data: make([]byte, 0, 1024)} }}

func New(p []byte) *shared {
	s := pool.Get().(*shared)
	s.refs.Store(1)
	s.data = append(s.data[:0], p...)
	return s
}

func (s *shared) Ref() *shared { s.refs.Add(1); return s }

func (s *shared) Unref() {
	if s.refs.Add(-1) == 0 {
		s.data = s.data[:0]
		pool.Put(s)
	}
}

func Broadcast(p []byte, outs []chan *shared) {
	s := New(p)
	for _, o := range outs {
		o <- s.Ref()
	}
	s.Unref()
}

func Send(p []byte, out chan<- *shared, f func([]byte)) {
	s := New(p)
	defer s.Unref()
	f(s.data)
	select {
	case out <- s.Ref():
	default:
		s.Unref()
	}
}
