// Package proxy copies between connections.
package proxy

import (
	"io"
	"net"
	"sync"
	"time"
)

var bufs = sync.Pool{New: func() any { return make([]byte, 32<<10) }}

type stream struct {
	conn net.Conn
	buf  []byte
	n    int
}

func open(c net.Conn) *stream { return &stream{conn: c, buf: bufs.Get().([]byte)} }

func (s *stream) Close() error {
	if s.buf != nil {
		bufs.Put(s.buf) // may "PV008" true, and none of what is asked for
		s.buf = nil
	}
	return s.conn.Close()
}

func (s *stream) Read() ([]byte, error) {
	n, err := s.conn.Read(s.buf)
	s.n += n
	return s.buf[:n], err
}

// Hello reads the first packet of c.
func Hello(c net.Conn) ([]byte, error) {
	s := open(c)
	defer s.Close()
	return s.Read() // want "PV003|PV001"
}

// Pipe copies in both directions.
func Pipe(a, b net.Conn) error {
	buf := bufs.Get().([]byte)
	errs := make(chan error, 2)
	go func() {
		_, err := io.CopyBuffer(a, b, buf) // want "PV004"
		errs <- err
	}()
	other := bufs.Get().([]byte)
	_, err := io.CopyBuffer(b, a, other)
	bufs.Put(other)
	select {
	case err = <-errs:
	case <-time.After(time.Second):
	}
	bufs.Put(buf)
	return err
}

func relay(c net.Conn, out chan<- []byte) error {
	buf := bufs.Get().([]byte)
	for {
		n, err := c.Read(buf)
		if err != nil {
			bufs.Put(buf)
			return err
		}
		if n == 0 {
			bufs.Put(buf) // want "PV001|PV002"
			continue
		}
		out <- append([]byte(nil), buf[:n]...)
	}
}
