package incidents

import (
	"bytes"
	"io"
	"net"
	"slices"
	"sync"
	"time"
)

func (c *core) writeOnce(msg string) error {
	l, err := encodeEntry(c.lines, msg)
	if err != nil {
		return err
	}
	_, err = c.out.Write(l.Bytes())
	l.Free() // fine "PV001|PV002" once
	return err
}

func (c *core) prefixCopy(name string) error {
	l, err := encodeEntry(c.lines, name)
	if err != nil {
		return err
	}
	c.last = append(c.last[:0], l.Bytes()...) // fine "PV004" a copy
	l.Free()
	return nil
}

func newCore(out io.Writer) *core {
	return &core{lines: newLinePool(), out: out, pool: sync.Pool{New: func() any { return new(header) }}}
}

// What was held before goes back, and the new one is held.
func (c *core) swap(s string) {
	h := c.pool.Get().(*header)
	h.names = append(h.names, s)
	old := c.held
	c.held = h
	if old != nil {
		c.pool.Put(old) // fine "PV001|PV004|PV015" the old one; the field has another
	}
}

func flushLaterOwned(conn net.Conn, msg []byte) {
	b := getBuffer()
	b.Write(msg)
	time.AfterFunc(time.Second, func() {
		b.WriteTo(conn)
		putBuffer(b) // fine "PV004|PV005" the timer owns it
	})
}

func flushAsideOwned(conn net.Conn, msg []byte) {
	b := getBuffer()
	b.Write(msg)
	go func() {
		defer putBuffer(b) // fine "PV004|PV005" the goroutine owns it
		b.WriteTo(conn)
	}()
}

func hashAllJoined(rows [][]byte, sum func([]byte)) {
	var (
		wg   sync.WaitGroup
		bufs []*bytes.Buffer
	)
	for _, row := range rows {
		b := getBuffer()
		b.Write(row)
		bufs = append(bufs, b)
		wg.Go(func() { sum(b.Bytes()) }) // fine "PV004" put after the wait
	}
	wg.Wait()
	for _, b := range bufs {
		putBuffer(b)
	}
}

func hashOne(row []byte, sum func([]byte)) {
	var wg sync.WaitGroup
	b := getBuffer()
	b.Write(row)
	wg.Go(func() { sum(b.Bytes()) }) // fine "PV004" joined
	wg.Wait()
	putBuffer(b)
}

func retryFresh(dial func() (net.Conn, error), msg []byte) error {
	tries := 0
again:
	b := getBuffer()
	b.Write(msg)
	conn, err := dial()
	if err != nil {
		putBuffer(b) // fine "PV001|PV002" the next try has its own
		if tries++; tries < 3 {
			goto again
		}
		return err
	}
	defer conn.Close()
	_, err = b.WriteTo(conn)
	putBuffer(b)
	return err
}

func oneOf(kind int, s string) int {
	b := getBuffer()
	b.WriteString(s)
	n := b.Len()
	switch kind {
	case 0:
		putBuffer(b) // fine "PV002" one of them
	case 1:
		putBuffer(b)
	default:
		putBuffer(b)
	}
	return n
}

// After a panic the buffer is not put, else it is put below.
func dropsOnPanic(f func(*bytes.Buffer)) (err any) {
	b := getBuffer()
	defer func() {
		if err = recover(); err == nil {
			putBuffer(b) // fine "PV002|PV005" only where f returned
		}
	}()
	f(b)
	return nil
}

func bothOnce(s string) string {
	a, b := getBuffer(), getBuffer()
	defer putBuffer(a)
	defer putBuffer(b) // fine "PV002" two objects
	a.WriteString(s)
	b.WriteString(s)
	return a.String() + b.String()
}

func lazyCount(s string) int {
	h := lazy().Get().(*header)
	h.size = len(s)
	n := h.size
	lazy().Put(h) // fine "PV001" the number was read before
	return n
}

// Two pools of one map are two pools.
func kinds(s string) int {
	h := byKind["small"].Get().(*header)
	byKind["small"].Put(h)
	h = byKind["large"].Get().(*header)
	h.size = len(s) // fine "PV001" another object
	n := h.size
	byKind["large"].Put(h)
	return n
}

func skipUnneeded(rows []string, out io.Writer) {
	for _, row := range rows {
		if row == "" {
			continue // fine "PV005" nothing was taken yet
		}
		b := getBuffer()
		b.WriteString(row)
		b.WriteTo(out)
		putBuffer(b)
	}
}

func stopAfterPut(rows []string, out io.Writer) error {
	for _, row := range rows {
		b := getBuffer()
		b.WriteString(row)
		_, err := out.Write(b.Bytes())
		putBuffer(b)
		if err != nil {
			break // fine "PV005" put above
		}
	}
	return nil
}

type fullSession struct {
	scratch sync.Pool
	name    string
}

func newFullSession(name string) *fullSession {
	s := &fullSession{name: name}
	s.scratch.New = func() any { return new(header) }
	return s
}

func (s *fullSession) open() int {
	h := s.scratch.Get().(*header) // fine "PV018" the constructor gives it a New
	defer s.scratch.Put(h)
	h.size = len(s.name)
	return h.size
}

// A value is put and a value is asked for: wasteful, and no mismatch.
func sorted(rows []string) []string {
	h := headers.Acquire()
	defer headers.Release(h)
	h.names = append(h.names, rows...)
	slices.Sort(h.names)
	return append([]string(nil), h.names...) // fine "PV003" copied
}
