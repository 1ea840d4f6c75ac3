// Package session serves clients of a line protocol. A Session is an io.Closer.
package session

import (
	"bufio"
	"fmt"
	"net"
	"sync"
	"time"
)

// Session is a connection of one client.
type Session struct {
	conn  net.Conn
	in    *bufio.Scanner
	user  string
	since time.Time
}

var sessions = sync.Pool{New: func() any { return new(Session) }}

// Open begins a session.
func Open(conn net.Conn, user string) *Session {
	s := sessions.Get().(*Session)
	s.conn, s.in, s.user, s.since = conn, bufio.NewScanner(conn), user, time.Now()
	return s
}

// Greet sends the first line.
func (s *Session) Greet() error {
	_, err := fmt.Fprintf(s.conn, "hello %s\r\n", s.user)
	return err
}

// Command returns the next line of the client, and false at the end.
func (s *Session) Command() (string, bool) {
	if !s.in.Scan() {
		return "", false
	}
	return s.in.Text(), true
}

// Reply sends one line.
func (s *Session) Reply(line string) error {
	s.conn.SetWriteDeadline(time.Now().Add(10 * time.Second))
	_, err := fmt.Fprintf(s.conn, "%s\r\n", line)
	return err
}

// Close ends the session.
func (s *Session) Close() error {
	var err error
	if s.conn != nil {
		err = s.conn.Close()
	}
	s.conn, s.in, s.user = nil, nil, ""
	sessions.Put(s) // want PV015
	return err
}
