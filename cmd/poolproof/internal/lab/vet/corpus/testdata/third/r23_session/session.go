// Package session serves clients of a line protocol. A Session is an io.Closer.
package session

import (
	"bufio"
	"fmt"
	"net"
	"sync"
	"time"
)

var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

// Session is a connection of one client.
type Session struct {
	conn net.Conn
	user string

	mu sync.Mutex
	in *bufio.Reader
}

// Open begins a session.
func Open(conn net.Conn, user string) *Session {
	in := readers.Get().(*bufio.Reader)
	in.Reset(conn)
	return &Session{conn: conn, user: user, in: in}
}

// Command returns the next line of the client.
func (s *Session) Command() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.in == nil {
		return "", net.ErrClosed
	}
	return s.in.ReadString('\n')
}

// Reply sends one line.
func (s *Session) Reply(line string) error {
	s.conn.SetWriteDeadline(time.Now().Add(10 * time.Second))
	_, err := fmt.Fprintf(s.conn, "%s %s\r\n", s.user, line)
	return err
}

// Close ends the session. It may be called more than once, and while a Command waits.
func (s *Session) Close() error {
	err := s.conn.Close()
	s.mu.Lock()
	in := s.in
	s.in = nil
	s.mu.Unlock()
	if in == nil {
		return nil
	}
	in.Reset(nil)
	readers.Put(in)
	return err
}

// Handle answers each command of conn.
func Handle(conn net.Conn, user string, answer func(string) string) error {
	s := Open(conn, user)
	defer s.Close()
	for {
		line, err := s.Command()
		if err != nil {
			return err
		}
		if line == "quit\r\n" {
			return s.Close()
		}
		if err := s.Reply(answer(line)); err != nil {
			return err
		}
	}
}
