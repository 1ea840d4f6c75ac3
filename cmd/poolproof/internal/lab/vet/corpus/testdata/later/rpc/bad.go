// Package rpc calls methods.
package rpc

import (
	"errors"
	"fmt"
	"sync"
)

type Call struct {
	Method string
	OneWay bool
	Reply  []byte
	args   []byte
	seq    uint64
}

var calls = sync.Pool{New: func() any { return new(Call) }}

func acquire(m string) *Call {
	c := calls.Get().(*Call)
	c.Method = m
	return c
}

func (c *Call) release() {
	*c = Call{Reply: c.Reply[:0], args: c.args[:0]}
	calls.Put(c)
}

type Server struct {
	mu      sync.Mutex
	pending map[uint64]*Call
	run     func(c *Call) error
}

func (s *Server) serve(m string, one bool) error {
	c := acquire(m)
	c.OneWay = one
	if err := s.run(c); err != nil {
		err = fmt.Errorf("%s: %w", m, err)
		c.release()
		return err
	}
	if c.OneWay {
		return nil // want "PV005"
	}
	if _, err := fmt.Println(string(c.Reply)); err != nil {
		c.release()
		return err
	}
	c.release()
	return nil
}

// Start registers a call.
func (s *Server) Start(seq uint64, m string) {
	c := acquire(m)
	c.seq = seq
	s.mu.Lock()
	s.pending[seq] = c // want "PV004"
	s.mu.Unlock()
	if err := s.run(c); err != nil {
		c.release()
		return
	}
}

var errNone = errors.New("no such call")

// Finish ends a call and returns its reply.
func (s *Server) Finish(seq uint64) ([]byte, error) {
	s.mu.Lock()
	c := s.pending[seq]
	delete(s.pending, seq)
	s.mu.Unlock()
	if c == nil {
		return nil, errNone
	}
	defer c.release()
	return c.Reply, nil // want "PV003|PV001"
}
