package a

import "bytes"

func (c *conn) clear() {
	buffers.Put(c.buf)
	c.buf = nil
}

func (c *conn) onlyOnce() {
	c.once.Do(func() { buffers.Put(c.buf) })
}

func (c *conn) whole() {
	buffers.Put(c.buf)
	*c = conn{}
}

func (c *conn) reset() { c.buf = nil }

func (c *conn) byCallee() {
	buffers.Put(c.buf)
	c.reset()
}

func clearing(c *conn) job {
	return job{done: func() {
		buffers.Put(c.buf)
		c.buf = nil
	}}
}

func clearer(c *conn) job { return job{done: c.clear} }

func (q *queue) pop() {
	buffers.Put(q.ring[q.head])
	q.ring[q.head] = nil
	q.head = (q.head + 1) % len(q.ring)
}

func (q *queue) reset() {
	for _, b := range q.list {
		buffers.Put(b)
	}
	q.list = q.list[:0]
}

func (q *queue) empty() {
	for _, b := range q.list {
		buffers.Put(b)
	}
	clear(q.list)
}

func (q *queue) byCallee() {
	for _, b := range q.list {
		buffers.Put(b)
	}
	q.forget()
}

func (q *queue) forget() {
	for i := range q.list {
		q.list[i] = nil
	}
}

func (q *queue) taken() {
	list := q.list
	q.list = nil
	for _, b := range list {
		buffers.Put(b)
	}
}

// A list of the function's own.
func own(n int) {
	q := queue{}
	for range n {
		q.list = append(q.list, buffers.Get().(*bytes.Buffer))
	}
	for _, b := range q.list {
		buffers.Put(b)
	}
}

func (m *message) turn() {
	old := m.buf
	m.buf = buffers.Get().(*bytes.Buffer)
	buffers.Put(old)
}

func (m *message) flushed() {
	if m.buf == nil {
		m.buf = buffers.Get().(*bytes.Buffer)
	}
	buffers.Put(m.buf)
	m.buf = nil
}

func (m *message) rounds(n int) {
	for range n {
		m.buf = buffers.Get().(*bytes.Buffer)
		m.buf.WriteByte('.')
		buffers.Put(m.buf)
	}
}
