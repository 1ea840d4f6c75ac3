// Package lineserver is right.
package lineserver

import (
	"bufio"
	"net"
	"sync"
)

var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}
var writers = sync.Pool{New: func() any { return bufio.NewWriter(nil) }}

type conn struct {
	net.Conn
	r      *bufio.Reader
	w      *bufio.Writer
	closed bool
}

func newConn(c net.Conn) *conn {
	r := readers.Get().(*bufio.Reader)
	r.Reset(c)
	w := writers.Get().(*bufio.Writer)
	w.Reset(c)
	return &conn{Conn: c, r: r, w: w}
}

func (c *conn) line() (string, error) { return c.r.ReadString('\n') }

func (c *conn) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	err := c.w.Flush()
	c.r.Reset(nil)
	readers.Put(c.r)
	writers.Put(c.w)
	c.r, c.w = nil, nil
	if e := c.Conn.Close(); err == nil {
		err = e
	}
	return err
}

func Handle(c net.Conn, f func(string) string) error {
	k := newConn(c)
	defer k.Close()
	for {
		s, err := k.line()
		if err != nil {
			return err
		}
		if _, err := k.w.WriteString(f(s)); err != nil {
			return err
		}
		if err := k.w.Flush(); err != nil {
			return err
		}
	}
}
