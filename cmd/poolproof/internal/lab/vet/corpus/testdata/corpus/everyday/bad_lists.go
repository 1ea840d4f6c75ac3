package everyday

import "io"

func (c *chainOf) writeLate(w io.Writer) (n int64, err error) {
	for e := c.pop(); e != nil; e = c.pop() {
		buffers.Put(e.buf)
		m, err := w.Write(e.buf.Bytes()) // want "PV001"
		n += int64(m)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

func (c *chainOf) resetTwice() {
	for e := c.pop(); e != nil; e = c.pop() {
		buffers.Put(e.buf)
		if c.n == 0 {
			buffers.Put(e.buf) // want "PV002"
		}
	}
}

func (q *segmented) readLate() int {
	v := &q.head.vals
	segments.Put(v) //poolproof:ignore PV021 the segment is left behind
	return (*v)[0]  // want "PV001"
}
