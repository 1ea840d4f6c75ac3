// Package streams reuses readers and writers that are bound to a stream while
// they are in use.
package streams

import (
	"bufio"
	"errors"
	"io"
	"sync"
)

var (
	readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}
	writers sync.Pool
)

func getReader(r io.Reader) *bufio.Reader {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	return br // fine "PV006" the caller's
}

func putReader(br *bufio.Reader) {
	br.Reset(nil)
	readers.Put(br)
}

func getWriter(w io.Writer) *bufio.Writer {
	if x := writers.Get(); x != nil {
		bw := x.(*bufio.Writer) // fine "PV018" not nil
		bw.Reset(w)
		return bw
	}
	return bufio.NewWriterSize(w, 4<<10)
}

func putWriter(bw *bufio.Writer) {
	bw.Reset(nil)
	writers.Put(bw)
}

// Conn is a connection whose reader and writer are pooled while it is open.
type Conn struct {
	rwc io.ReadWriteCloser
	mu  sync.Mutex
	br  *bufio.Reader
	bw  *bufio.Writer
}

// Open returns a connection.
func Open(rwc io.ReadWriteCloser) *Conn {
	return &Conn{
		rwc: rwc,
		br:  getReader(rwc), // fine "PV004 PV006" the connection's
		bw:  getWriter(rwc), // fine "PV004 PV006" the connection's
	}
}

// Close gives reader and writer back. A second Close does nothing.
func (c *Conn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.br == nil {
		return nil
	}
	err := c.bw.Flush()
	putReader(c.br)
	putWriter(c.bw)
	c.br, c.bw = nil, nil // fine "PV015" cleared under the lock
	return errors.Join(err, c.rwc.Close())
}

// Detach takes the reader out: the caller puts it.
func (c *Conn) Detach() *bufio.Reader {
	c.mu.Lock()
	defer c.mu.Unlock()
	br := c.br
	c.br = nil
	return br // fine "PV003" no longer the connection's
}

// Line reads a line as a text of its own.
func Line(r io.Reader) (string, error) {
	br := getReader(r)
	defer putReader(br)
	return br.ReadString('\n') // fine "PV003" ReadString copies
}

// Copy copies buffered.
func Copy(w io.Writer, r io.Reader) (n int64, err error) {
	br, bw := getReader(r), getWriter(w)
	defer func() {
		err = errors.Join(err, bw.Flush())
		putWriter(bw)
		putReader(br) // fine "PV001" both are flushed before
	}()
	return io.Copy(bw, br)
}
