// Package connacquire opens sessions of a database protocol.
package connacquire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
)

type session struct {
	conn   net.Conn
	out    []byte
	params map[string]string
}

var sessions = sync.Pool{New: func() any {
	return &session{out: make([]byte, 0, 1024), params: make(map[string]string)}
}}

func (s *session) close() error {
	err := s.conn.Close()
	s.conn, s.out = nil, s.out[:0]
	clear(s.params)
	sessions.Put(s)
	return err
}

var errDenied = errors.New("access denied")

func open(ctx context.Context, addr, user string) (*session, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	s := sessions.Get().(*session)
	s.conn = conn
	s.out = append(append(s.out, user...), 0)
	if _, err := conn.Write(s.out); err != nil {
		s.close()
		return nil, fmt.Errorf("login: %w", err)
	}
	var answer [1]byte
	if _, err := io.ReadFull(conn, answer[:]); err != nil {
		s.close()
		return nil, fmt.Errorf("login: %w", err)
	}
	if answer[0] != 'R' {
		conn.Close()
		return nil, errDenied // want PV005
	}
	s.params["user"] = user
	return s, nil
}

// Ping opens a session and closes it.
func Ping(ctx context.Context, addr, user string) error {
	s, err := open(ctx, addr, user)
	if err != nil {
		return err
	}
	return s.close()
}
