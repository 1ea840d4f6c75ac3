// Package pipe is right.
package pipe

import (
	"io"
	"net"
	"sync"
)

var bufs = sync.Pool{New: func() any { return make([]byte, 32<<10) }}

func Pipe(a, b net.Conn) error {
	errs := make(chan error, 2)
	cp := func(dst, src net.Conn) {
		buf := bufs.Get().([]byte)
		_, err := io.CopyBuffer(dst, src, buf)
		bufs.Put(buf)
		errs <- err
	}
	go cp(a, b)
	go cp(b, a)
	err := <-errs
	a.Close()
	b.Close()
	<-errs
	return err
}

type stream struct {
	c   net.Conn
	buf []byte
	off int
	n   int
}

func (s *stream) Read(p []byte) (int, error) {
	if s.off == s.n {
		if s.buf == nil {
			s.buf = bufs.Get().([]byte)
		}
		n, err := s.c.Read(s.buf)
		s.off, s.n = 0, n
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, s.buf[s.off:s.n])
	s.off += n
	if s.off == s.n {
		bufs.Put(s.buf)
		s.buf = nil
		s.off, s.n = 0, 0
	}
	return n, nil
}
