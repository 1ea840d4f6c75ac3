// Package wsframe reads messages of a websocket connection, of one frame or several.
package wsframe

import (
	"bufio"
	"bytes"
	"encoding/binary"
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

func (c *Conn) header() (fin bool, size int64, err error) {
	var h [2]byte
	if _, err = io.ReadFull(c.br, h[:]); err != nil {
		return false, 0, err
	}
	fin, size = h[0]&0x80 != 0, int64(h[1]&0x7f)
	if size == 126 {
		var ext [2]byte
		if _, err = io.ReadFull(c.br, ext[:]); err != nil {
			return false, 0, err
		}
		size = int64(binary.BigEndian.Uint16(ext[:]))
	}
	return fin, size, nil
}

// ReadMessage returns the next message.
func (c *Conn) ReadMessage() ([]byte, error) {
	b := messages.Get().(*bytes.Buffer)
	b.Reset()
	defer messages.Put(b)

	for {
		fin, size, err := c.header()
		if err != nil {
			return nil, err
		}
		if int64(b.Len())+size > c.limit {
			return nil, errTooLarge
		}
		if _, err := io.CopyN(b, c.br, size); err != nil {
			return nil, err
		}
		if fin {
			break
		}
	}
	return b.Bytes(), nil // want PV003
}
