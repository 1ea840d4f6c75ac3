package typestate

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// conn does not forget its buffer when it is closed.
type conn struct {
	name string
	buf  *bytes.Buffer
	out  io.Writer
}

func newConn(name string, out io.Writer) *conn {
	return &conn{name: name, buf: getBuffer(), out: out}
}

func (c *conn) Write(p []byte) (int, error) { return c.buf.Write(p) }

func (c *conn) Flush() error {
	_, err := c.buf.WriteTo(c.out)
	return err
}

func (c *conn) Len() int { return c.buf.Len() }

func (c *conn) Close() error {
	err := c.Flush()
	putBuffer(c.buf) // want "PV015"
	return err
}

func closeTwice(out io.Writer, p []byte) error {
	c := newConn("a", out)
	defer c.Close() // may "PV002"
	if _, err := c.Write(p); err != nil {
		return err
	}
	return c.Close() // want "PV002"
}

func closeOnErrorToo(out io.Writer, p []byte) error {
	c := newConn("b", out)
	if _, err := c.Write(p); err != nil {
		c.Close()
	}
	return c.Close() // want "PV002"
}

func writeAfterClose(out io.Writer, p []byte) error {
	c := newConn("c", out)
	if err := c.Close(); err != nil {
		return err
	}
	_, err := c.Write(p) // want "PV001"
	return err
}

func (c *conn) finish() (int, error) {
	err := c.Close()
	return c.Len(), err // want "PV001"
}

func (c *conn) closeAll(n int) {
	for range n {
		c.Close() // want "PV001|PV002"
	}
}

// The loop writes on after the caller has gone.
func background(out io.Writer, lines <-chan []byte) {
	c := newConn("d", out)
	defer c.Close()
	go func() { // want "PV004"
		for l := range lines {
			c.Write(l)
		}
	}()
}

// report puts its buffer in two methods.
type report struct {
	buf  *bytes.Buffer
	rows int
}

func (r *report) begin() { r.buf = getBuffer() }

func (r *report) add(s string) {
	r.buf.WriteString(s)
	r.rows++
}

func (r *report) abort() { putBuffer(r.buf) } // may "PV015"

func (r *report) end() string {
	s := r.buf.String()
	putBuffer(r.buf) // may "PV015"
	return s
}

func (r *report) all(rows []string) (string, error) {
	r.begin()
	for _, s := range rows {
		if s == "" {
			r.abort()
		}
		r.add(s) // want "PV001"
	}
	return r.end(), nil // may "PV001|PV002"
}

func abortThenEnd(rows []string) string {
	var r report
	r.begin()
	if len(rows) == 0 {
		r.abort()
	}
	return r.end() // want "PV001|PV002"
}

// again loses the buffer of the first begin.
func (r *report) again(rows []string) string {
	r.buf = getBuffer() // want "PV005|PV006"
	r.buf = getBuffer()
	for _, s := range rows {
		r.add(s)
	}
	return r.end()
}

// lines puts the reader that it embeds.
type lines struct {
	*bufio.Reader
	src io.Closer
}

func openLines(src io.ReadCloser) *lines {
	r := readers.Get().(*bufio.Reader)
	r.Reset(src)
	return &lines{Reader: r, src: src}
}

func (l *lines) Close() error {
	readers.Put(l.Reader) // want "PV015"
	return l.src.Close()
}

func lastByte(src io.ReadCloser) (byte, error) {
	l := openLines(src)
	l.Close()
	return l.ReadByte() // want "PV001"
}

// view is read by the caller when the deferred Close has put it.
func view(out io.Writer, p []byte) []byte {
	c := newConn("e", out)
	defer c.Close()
	c.Write(p)
	return c.buf.Bytes() // want "PV003"
}

func handsOut(out io.Writer, p []byte) (*conn, error) {
	c := newConn("f", out)
	defer c.Close()
	if len(p) == 0 {
		return nil, errors.New("nothing to write")
	}
	return c, nil // want "PV003"
}

// state puts and goes on with the field in one method.
type state struct {
	scratch *bytes.Buffer
	keep    []byte
}

func (s *state) step(p []byte) int {
	s.scratch = getBuffer()
	s.scratch.Write(p)
	putBuffer(s.scratch)
	return s.scratch.Len() // want "PV001"
}

func (s *state) stop() {
	s.keep = s.scratch.Bytes()
	putBuffer(s.scratch) // want "PV004|PV015"
}

// pipe has a put in a helper that all methods share.
type pipe struct {
	b    *bytes.Buffer
	done bool
}

func (p *pipe) drop() { putBuffer(p.b) } // may "PV015"

func (p *pipe) CloseWrite() error {
	p.drop() // may "PV015"
	return nil
}

func (p *pipe) CloseRead() error {
	p.drop() // may "PV015"
	return nil
}

func shutdown(p *pipe) error {
	return errors.Join(p.CloseWrite(), p.CloseRead()) // want "PV002"
}
