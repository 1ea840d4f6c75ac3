// Package wsframe reads messages of a websocket connection, of one frame or several.
package wsframe

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"
)

var messages = sync.Pool{New: func() any { return new(bytes.Buffer) }}

var errTooLarge = errors.New("wsframe: message too large")

// Conn is the reading half of a connection.
type Conn struct {
	br    *bufio.Reader
	limit int64
}

// NewConn returns a Conn that reads from r.
func NewConn(r io.Reader, limit int64) *Conn {
	return &Conn{bufio.NewReader(r), limit}
}

func (c *Conn) read(b *bytes.Buffer) error {
	for {
		var h [2]byte
		if _, err := io.ReadFull(c.br, h[:]); err != nil {
			return err
		}
		size := int64(h[1] & 0x7f)
		if int64(b.Len())+size > c.limit {
			return errTooLarge
		}
		if _, err := io.CopyN(b, c.br, size); err != nil {
			return err
		}
		if h[0]&0x80 != 0 {
			return nil
		}
	}
}

// ReadMessage returns the next message.
func (c *Conn) ReadMessage() ([]byte, error) {
	b := messages.Get().(*bytes.Buffer)
	b.Reset()
	defer messages.Put(b)
	if err := c.read(b); err != nil {
		return nil, err
	}
	return bytes.Clone(b.Bytes()), nil
}

// Each calls f with each message until the end. f must not keep what it gets.
func (c *Conn) Each(f func(message []byte) error) error {
	b := messages.Get().(*bytes.Buffer)
	defer messages.Put(b)
	for {
		b.Reset()
		err := c.read(b)
		if errors.Is(err, io.EOF) && b.Len() == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		if err := f(b.Bytes()); err != nil {
			return err
		}
	}
}
