package fields

import (
	"errors"
	"io"
	"sync"
)

var pool = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

func get() *[]byte  { return pool.Get().(*[]byte) }
func put(b *[]byte) { pool.Put(b) }

var errX = errors.New("x")

// nothing puts what the field holds
type first struct {
	r   io.Reader
	buf *[]byte
	off int
}

func (f *first) Read(p []byte) (int, error) {
	if f.buf != nil {
		n := copy(p, (*f.buf)[f.off:])
		f.off += n
		if f.off == len(*f.buf) {
			f.buf = nil // want `this assignment loses the object that .* holds`
		}
		return n, nil
	}
	b := get()
	n, err := f.r.Read(*b)
	if err != nil {
		put(b)
		return 0, err
	}
	if m := copy(p, (*b)[:n]); m < n {
		f.buf, f.off = b, m
		return m, nil
	}
	put(b)
	return n, nil
}

type second struct {
	w   io.Writer
	buf *[]byte
}

func (s *second) Close() error {
	if s.buf != nil {
		put(s.buf)
		s.buf = nil
	}
	return nil
}

func (s *second) flush() error {
	_, err := s.w.Write(*s.buf)
	s.buf = get() // want `this assignment loses the object that .* holds`
	return err
}

func (s *second) flushed() error {
	_, err := s.w.Write(*s.buf)
	put(s.buf)
	s.buf = get()
	return err
}

func (s *second) swapped() error {
	b := s.buf
	s.buf = get()
	_, err := s.w.Write(*b)
	put(b)
	return err
}

func (s *second) take() *[]byte {
	b := s.buf
	if len(*b) == 0 {
		return nil
	}
	s.buf = nil
	return b
}

func (s *second) Reset(w io.Writer) {
	s.w = w
	s.buf = get()
}

func (s *second) clear() {
	s.w = nil
	s.buf = nil
}

func (s *second) fails() error {
	if _, err := s.w.Write(*s.buf); err != nil {
		s.buf = nil // want `this assignment loses the object that .* holds`
		return err
	}
	return s.Close()
}

func (s *second) starts() {
	go s.w.Write(*s.buf)
	s.buf = nil
}

func (s *second) started(done chan bool) {
	go writes(s.w, s.buf, done)
	s.buf = get() // want `this assignment loses the object that .* holds`
}

func writes(w io.Writer, b *[]byte, done chan bool) {
	w.Write(*b)
	done <- true
}

type third struct {
	w   io.Writer
	buf *[]byte
}

func NewThird(w io.Writer) *third {
	t := new(third)
	t.init(w)
	return t
}

func (t *third) init(w io.Writer) {
	t.w = w
	t.buf = nil // want `this assignment loses the object that .* holds`
}

func (t *third) Reset(w io.Writer) { t.init(w) }

func (t *third) Close() {
	put(t.buf)
	t.init(nil)
}

type fourth struct {
	w   io.Writer
	buf *[]byte
}

func (t *fourth) init(w io.Writer) {
	t.w = w
	t.buf = nil
}

func NewFourth(w io.Writer) *fourth {
	t := new(fourth)
	t.init(w)
	return t
}

func (t *fourth) Write(p []byte) {
	if t.buf == nil {
		t.buf = get()
	}
	copy(*t.buf, p)
}

func (t *fourth) Reset(w io.Writer) {
	if t.buf != nil {
		put(t.buf)
	}
	t.init(w)
}

func (t *fourth) Close() {
	put(t.buf)
	t.init(nil)
}

// What is too large is dropped on purpose.
func (t *fourth) shrink(size int) {
	if t.buf == nil {
		return
	}
	if cap(*t.buf) > size {
		t.buf = nil
	}
}

// A callee may have put it.
func (s *second) sometimes(x bool) {
	if x {
		put(s.buf)
	}
}

func (s *second) drops(x bool) error {
	_, err := s.w.Write(*s.buf)
	s.sometimes(x)
	s.buf = nil
	return err
}
