// Package lines splits a stream with buffers of several sizes.
package lines

import (
	"bytes"
	"errors"
	"io"
	"sync"

	"example.org/corpus/lib/classes"
)

// ErrTooLong is returned for a line that fits no buffer.
var ErrTooLong = errors.New("lines: line too long")

// Scanner reads lines into a buffer that grows through the size classes.
type Scanner struct {
	r          io.Reader
	buf        []byte
	start, end int
	err        error
}

// NewScanner returns a scanner; Close gives its buffer back.
func NewScanner(r io.Reader) *Scanner {
	return &Scanner{r: r, buf: classes.Get(64)} // fine "PV006" the scanner's
}

// Scan returns the next line, which is valid until the next call.
func (s *Scanner) Scan() ([]byte, error) {
	for {
		if i := bytes.IndexByte(s.buf[s.start:s.end], '\n'); i >= 0 {
			line := s.buf[s.start : s.start+i]
			s.start += i + 1
			return line, nil // fine "PV003" nothing is put here
		}
		if s.err != nil {
			return nil, s.err
		}
		if err := s.fill(); err != nil {
			return nil, err
		}
	}
}

func (s *Scanner) fill() error {
	if s.end == len(s.buf) && s.start == 0 {
		if len(s.buf) >= 1<<16 {
			return ErrTooLong
		}
		larger := classes.Get(2 * len(s.buf))
		copy(larger, s.buf[:s.end])
		classes.Put(s.buf)
		s.buf = larger // fine "PV001 PV004 PV015" the field has another one
	} else if s.start > 0 {
		s.end = copy(s.buf, s.buf[s.start:s.end])
		s.start = 0
	}
	n, err := s.r.Read(s.buf[s.end:])
	s.end += n
	s.err = err
	return nil
}

// Close gives the buffer back.
func (s *Scanner) Close() {
	if s.buf == nil {
		return
	}
	classes.Put(s.buf)
	s.buf = nil // fine "PV015" cleared
}

// Count counts lines.
func Count(r io.Reader) (n int, err error) {
	s := NewScanner(r)
	defer s.Close()
	for {
		if _, err = s.Scan(); err != nil {
			break
		}
		n++
	}
	if err == io.EOF {
		err = nil
	}
	return n, err // fine "PV003" numbers
}

// pool is a free list on a channel, with the methods of a pool.
type pool struct{ free chan []byte }

func (p *pool) Get() []byte {
	select {
	case b := <-p.free:
		return b
	default:
		return make([]byte, 512)
	}
}

func (p *pool) Put(b []byte) {
	select {
	case p.free <- b:
	default: // fine "PV005" full: left to the collector
	}
}

var slabs sync.Pool

// slab cuts many small slices out of a pooled large one, which nobody puts while
// they are in use.
type slab struct {
	mem  []byte
	next int
}

func (s *slab) cut(n int) []byte {
	if s.next+n > len(s.mem) {
		return make([]byte, n)
	}
	b := s.mem[s.next : s.next+n : s.next+n]
	s.next += n
	return b // fine "PV003" the slab is put by reset
}

func newSlab() *slab {
	if s, ok := slabs.Get().(*slab); ok {
		return s
	}
	return &slab{mem: make([]byte, 1<<16)}
}

func (s *slab) reset() {
	s.next = 0
	slabs.Put(s) // fine "PV015" the receiver itself
}

func joined(parts []string) (text string) {
	s := newSlab()
	defer s.reset()
	for _, p := range parts {
		b := s.cut(len(p))
		copy(b, p)
		text += string(b) // fine "PV003" converted
	}
	return text
}
