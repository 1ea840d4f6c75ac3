// Package logship formats log lines and ships them in batches.
package logship

import (
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

type line struct {
	buf   []byte
	level int
	debug bool
	next  *line
}

var lines = sync.Pool{New: func() any { return &line{buf: make([]byte, 0, 256)} }}

func getLine(level int) *line {
	l := lines.Get().(*line)
	l.buf, l.level = l.buf[:0], level
	return l
}

func (l *line) free() { lines.Put(l) }

type shipper struct {
	mu   sync.Mutex
	tail []*line
	conn net.Conn
	last string
	raw  []byte
}

// log writes a line and remembers its memory for the status page.
func (s *shipper) log(level int, msg string) {
	l := getLine(level)
	defer l.free()
	l.buf = append(l.buf, msg...)
	s.conn.Write(l.buf)
	s.raw = l.buf // want "PV004"
}

// batch collects lines; on a write error it gives up after it freed what it holds.
func (s *shipper) batch(msgs []string) error {
	for _, m := range msgs {
		l := getLine(1)
		l.buf = fmt.Appendf(l.buf, "%s\n", m)
		if _, err := s.conn.Write(l.buf); err != nil {
			return fmt.Errorf("ship: %w", err) // want "PV005"
		}
		l.free()
	}
	return nil
}

// retry writes twice and frees the line in the failure of the first try already.
func (s *shipper) retry(msg string) error {
	l := getLine(2)
	l.buf = append(l.buf, msg...)
	_, err := s.conn.Write(l.buf)
	if err != nil {
		l.free()
		time.Sleep(time.Millisecond)
		_, err = s.conn.Write(l.buf) // want "PV001"
	}
	return err
}

// async writes from a goroutine that nothing waits for.
func (s *shipper) async(w io.Writer, msg string) {
	l := getLine(0)
	l.buf = append(l.buf, msg...)
	go func() {
		w.Write(l.buf) // want "PV004"
	}()
	l.free()
}

// fill puts the line on failure, as its name does not say.
func fill(l *line, r io.Reader) error {
	n, err := r.Read(l.buf[:cap(l.buf)])
	if err != nil {
		l.free()
		return err
	}
	l.buf = l.buf[:n]
	return nil
}

func (s *shipper) copyFrom(r io.Reader) error {
	l := getLine(0)
	if err := fill(l, r); err != nil {
		l.free() // want "PV002"
		return err
	}
	s.conn.Write(l.buf)
	l.free()
	return nil
}
