// Package smtpd reads mails.
package smtpd

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"sync"
)

var readers = sync.Pool{New: func() any { return bufio.NewReaderSize(nil, 8192) }}

type session struct {
	conn net.Conn
	r    *bufio.Reader
	from []byte
}

func newSession(c net.Conn) *session {
	r := readers.Get().(*bufio.Reader)
	r.Reset(c)
	return &session{conn: c, r: r}
}

func (s *session) close() {
	readers.Put(s.r)
	s.r = nil
	s.conn.Close()
}

type syntaxError struct{ line []byte }

func (e *syntaxError) Error() string { return fmt.Sprintf("syntax error in %q", e.line) }

func (s *session) command() (string, error) {
	line, err := s.r.ReadSlice('\n')
	if err != nil {
		return "", err
	}
	if len(line) < 4 {
		return "", &syntaxError{bytes.Clone(line)}
	}
	return string(line[:4]), nil
}

func Serve(c net.Conn) error {
	s := newSession(c)
	for {
		cmd, err := s.command()
		if err != nil {
			return err // want "PV005|PV006"
		}
		if cmd == "QUIT" {
			s.close()
			fmt.Fprintln(c, "221 bye")
			return nil
		}
	}
}

// First returns the first line of r.
func First(r io.Reader) ([]byte, error) {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	line, err := br.ReadSlice('\n')
	if err != nil {
		readers.Put(br)
		return nil, &syntaxError{line} // want "PV001|PV003"
	}
	readers.Put(br)
	return line, nil // want "PV001|PV003"
}
