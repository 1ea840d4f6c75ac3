package everyday

import (
	"bytes"
	"io"
	"sync"
)

// elem is an element of a list of buffers. The elements are not pooled.
type elem struct {
	buf  *bytes.Buffer
	next *elem
}

type chainOf struct {
	head, tail *elem
	n          int
}

func (c *chainOf) pop() *elem {
	if c.head == nil {
		return nil
	}
	e := c.head
	c.head = e.next
	if c.head == nil {
		c.tail = nil
	}
	c.n--
	return e
}

func (c *chainOf) push(e *elem) {
	if e == nil {
		return
	}
	if c.tail == nil {
		c.head = e
	} else {
		c.tail.next = e
	}
	e.next = nil
	c.tail = e
	c.n++
}

// Each round has another element.
func (c *chainOf) writeTo(w io.Writer) (n int64, err error) {
	for e := c.pop(); e != nil; e = c.pop() {
		m, err := w.Write(e.buf.Bytes()) // fine "PV001" the buffer of the next element
		n += int64(m)
		if err != nil {
			return n, err
		}
		buffers.Put(e.buf) // fine "PV002" each element's own
	}
	return n, nil
}

func (c *chainOf) reset() {
	for e := c.pop(); e != nil; e = c.pop() {
		buffers.Put(e.buf) // fine "PV002" each element's own
	}
}

func (c *chainOf) add(p []byte) {
	b := buffers.Get().(*bytes.Buffer) // fine "PV005|PV006" the list has it
	b.Write(p)
	c.push(&elem{buf: b})
}

// The address of a field is put, and the struct around it lives on.
type segment struct {
	vals []int
	once sync.Once
	next *segment
}

var segments sync.Pool

func (s *segment) follow() *segment {
	s.once.Do(func() { s.next = new(segment) })
	return s.next
}

type segmented struct{ head *segment }

func (q *segmented) advance() {
	segments.Put(&q.head.vals) //poolproof:ignore PV021 the segment is left behind
	q.head = q.head.follow()   // fine "PV001" the segment, not its values
}

// What is left of a slice is no growth.
func parseAll(parse func([]byte) ([]byte, error)) error {
	b := lists.Get()
	defer lists.Put(b) // fine "PV013" all of it is put, whatever is left to parse
	for len(b) > 0 {
		var err error
		if b, err = next(b); err != nil {
			return err
		}
	}
	return nil
}

func next(b []byte) ([]byte, error) {
	if b[0] == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	return b[1:], nil
}
