package logship

import (
	"io"
	"sync"
)

func (s *shipper) logRight(level int, msg string) {
	l := getLine(level)
	defer l.free()
	l.buf = append(l.buf, msg...)
	s.conn.Write(l.buf)
	s.last = string(l.buf) // fine "PV004" a copy
	s.raw = append(s.raw[:0], l.buf...)
}

// queue keeps lines until flush frees them.
func (s *shipper) queue(msg string) {
	l := getLine(1)
	l.buf = append(l.buf, msg...)
	s.mu.Lock()
	s.tail = append(s.tail, l) // fine "PV006" flush frees it
	s.mu.Unlock()
}

func (s *shipper) flush() error {
	s.mu.Lock()
	tail := s.tail
	s.tail = nil
	s.mu.Unlock()
	var first error
	for _, l := range tail {
		if _, err := s.conn.Write(l.buf); err != nil && first == nil {
			first = err
		}
		l.free()
	}
	return first
}

// asyncRight hands the line to the goroutine.
func (s *shipper) asyncRight(w io.Writer, msg string) {
	l := getLine(0)
	l.buf = append(l.buf, msg...)
	go func() {
		defer l.free() // fine "PV004" the goroutine owns it
		w.Write(l.buf)
	}()
}

// fan waits for its goroutines before it frees.
func (s *shipper) fan(ws []io.Writer, msg string) {
	l := getLine(0)
	defer l.free()
	l.buf = append(l.buf, msg...)
	var wg sync.WaitGroup
	for _, w := range ws {
		wg.Add(1)
		go func() {
			defer wg.Done()
			w.Write(l.buf) // fine "PV004" the function waits
		}()
	}
	wg.Wait()
}

// retryRight frees in one place.
func (s *shipper) retryRight(msg string) (err error) {
	l := getLine(2)
	defer l.free()
	l.buf = append(l.buf, msg...)
	for range 3 {
		if _, err = s.conn.Write(l.buf); err == nil {
			return nil
		}
	}
	return err
}

func (s *shipper) copyFromRight(r io.Reader) error {
	l := getLine(0)
	if err := fill(l, r); err != nil {
		return err // fine "PV005" fill freed it
	}
	_, err := s.conn.Write(l.buf)
	l.free()
	return err
}

// chain links lines and frees the chain from its head.
func (s *shipper) chain(msgs []string) {
	var head *line
	for _, m := range msgs {
		l := getLine(0)
		l.buf = append(l.buf, m...)
		l.next = head // fine "PV006" the chain is freed below
		head = l
	}
	for head != nil {
		next := head.next
		s.conn.Write(head.buf)
		head.next = nil
		head.free()
		head = next
	}
}
