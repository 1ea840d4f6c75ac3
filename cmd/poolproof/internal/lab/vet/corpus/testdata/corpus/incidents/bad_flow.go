package incidents

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"sync"
	"time"
)

// encodeEntry returns a line that its caller frees.
func encodeEntry(lp *linePool, msg string) (*line, error) {
	l := lp.get()
	l.AppendText(msg)
	if len(l.bs) == 0 {
		l.Free()
		return nil, io.ErrUnexpectedEOF
	}
	return l, nil
}

type core struct {
	lines *linePool
	out   io.Writer
	last  []byte
	held  *header
	pool  sync.Pool
}

func (c *core) write(msg string) error {
	l, err := encodeEntry(c.lines, msg)
	if err != nil {
		return err
	}
	defer l.Free()
	if _, err := c.out.Write(l.Bytes()); err != nil {
		l.Free() // want "PV002"
		return err
	}
	return nil
}

// prefix is kept for the lines to come.
func (c *core) prefix(name string) error {
	l, err := encodeEntry(c.lines, name)
	if err != nil {
		return err
	}
	c.last = l.Bytes() // want "PV004"
	l.Free()
	return nil
}

func (c *core) remember(s string) {
	h := c.pool.Get().(*header)
	h.names = append(h.names, s)
	c.pool.Put(h)
	c.held = h // want "PV001|PV004"
}

func flushLater(conn net.Conn, msg []byte) {
	b := getBuffer()
	b.Write(msg)
	time.AfterFunc(time.Second, func() { // want "PV004"
		b.WriteTo(conn)
	})
	putBuffer(b)
}

func flushAside(conn net.Conn, msg []byte) {
	b := getBuffer()
	b.Write(msg)
	go b.WriteTo(conn) // want "PV004"
	putBuffer(b)
}

// The wait comes after the puts.
func hashAll(rows [][]byte, sum func([]byte)) {
	var wg sync.WaitGroup
	for _, row := range rows {
		b := getBuffer()
		b.Write(row)
		wg.Go(func() { // want "PV004"
			sum(b.Bytes())
		})
		putBuffer(b)
	}
	wg.Wait()
}

func retry(dial func() (net.Conn, error), msg []byte) error {
	b := getBuffer()
	b.Write(msg)
	tries := 0
again:
	conn, err := dial()
	if err != nil {
		putBuffer(b)
		if tries++; tries < 3 {
			goto again
		}
		return err
	}
	defer conn.Close()
	_, err = b.WriteTo(conn) // want "PV001"
	putBuffer(b)
	return err
}

func falls(kind int, s string) int {
	b := getBuffer()
	b.WriteString(s)
	n := b.Len()
	switch kind {
	case 0:
		putBuffer(b)
		fallthrough
	case 1:
		putBuffer(b) // want "PV002"
	default:
		putBuffer(b)
	}
	return n
}

func recovers(f func(*bytes.Buffer)) {
	b := getBuffer()
	defer func() {
		if r := recover(); r != nil {
			log.Print(r)
		}
		putBuffer(b) // want "PV002"
	}()
	f(b)
	putBuffer(b) // may "PV002"
}

func firstTwice(s string) string {
	a, b := getBuffer(), getBuffer()
	defer putBuffer(a)
	defer putBuffer(a) // want "PV002"
	a.WriteString(s)
	b.WriteString(s) // may "PV006"
	return a.String() + b.String()
}

func lazyNames(s string) int {
	h := lazy().Get().(*header)
	h.size = len(s)
	lazy().Put(h)
	return h.size // want "PV001"
}

func kindSize(kind, s string) int {
	h := byKind[kind].Get().(*header)
	h.size = len(s)
	byKind[kind].Put(h)
	return h.size // want "PV001"
}

func genericUse(s string) int {
	h := headers.Acquire()
	h.size = len(s)
	headers.Release(h)
	return h.size // want "PV001"
}

func skipEmpty(rows []string, out io.Writer) {
	for _, row := range rows {
		b := getBuffer()
		b.WriteString(row)
		if b.Len() == 0 {
			continue // want "PV005"
		}
		b.WriteTo(out)
		putBuffer(b)
	}
}

func stopEarly(rows []string, out io.Writer) error {
	for i, row := range rows {
		b := getBuffer()
		b.WriteString(row)
		if _, err := out.Write(b.Bytes()); err != nil {
			fmt.Fprintln(out, i)
			break // want "PV005"
		}
		putBuffer(b)
	}
	return nil
}

// session has a pool that nobody gave a New.
type session struct {
	scratch sync.Pool
	name    string
}

func newSession(name string) *session { return &session{name: name} }

func (s *session) open() int {
	h := s.scratch.Get().(*header) // want "PV018"
	defer s.scratch.Put(h)
	h.size = len(s.name)
	return h.size
}

// The pool makes values, and pointers are taken out of it.
var stats = sync.Pool{New: newStats}

type counters struct{ in, out int }

func newStats() any { return counters{} } // want "PV007"

func count(n int) int {
	c := stats.Get().(*counters) // may "PV007"
	defer stats.Put(c)
	c.in += n
	return c.in
}
