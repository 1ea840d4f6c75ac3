// Package bufioline answers the one question that a finger client asks.
package bufioline

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
)

var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 512) }}

// Server knows plans of users.
type Server struct {
	Plans map[string]string
}

// Serve answers connections until l is closed.
func (s *Server) Serve(l net.Listener) error {
	for {
		conn, err := l.Accept()
		if errors.Is(err, net.ErrClosed) {
			return nil
		}
		if err != nil {
			return err
		}
		go s.handle(conn)
	}
}

func (s *Server) handle(conn net.Conn) {
	defer conn.Close()
	user, err := readUser(conn)
	if err != nil {
		return
	}
	plan, ok := s.Plans[user]
	if !ok {
		plan = "no such user\r\n"
	}
	io.WriteString(conn, plan)
}

func readUser(r io.Reader) (string, error) {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	line, err := br.ReadSlice('\n')
	readers.Put(br)
	if err != nil {
		return "", err
	}
	return string(bytes.TrimRight(line, "\r\n")), nil // want PV001
}
