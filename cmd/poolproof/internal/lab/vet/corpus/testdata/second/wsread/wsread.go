// Package wsread reads the frames of a websocket.
package wsread

import (
	"bufio"
	"errors"
	"io"
	"sync"
)

// Frame is one message.
type Frame struct {
	Op      byte
	Payload []byte
}

var payloads = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

// Read returns the next frame.
func Read(r *bufio.Reader) (*Frame, error) {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	n := int(head[1] & 0x7f)
	bp := payloads.Get().(*[]byte)
	defer payloads.Put(bp)
	if n > len(*bp) {
		return nil, errors.New("frame too large")
	}
	f := &Frame{Op: head[0] & 0x0f}
	f.Payload = (*bp)[:n]
	if _, err := io.ReadFull(r, f.Payload); err != nil {
		return nil, err
	}
	return f, nil // want "PV003|PV004"
}
