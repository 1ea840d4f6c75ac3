// Package rpcstream is the client side of a stream of messages.
package rpcstream

import (
	"encoding/binary"
	"io"
	"slices"
	"sync"
)

type frame struct {
	kind byte
	data []byte
}

var frames = sync.Pool{New: func() any { return new(frame) }}

// Stream receives frames.
type Stream struct {
	r   io.Reader
	cur *frame
}

// Next reads the next frame.
func (s *Stream) Next() ([]byte, error) {
	s.cur = frames.Get().(*frame) // want "PV005"
	var head [3]byte
	if _, err := io.ReadFull(s.r, head[:]); err != nil {
		return nil, err
	}
	s.cur.kind = head[0]
	n := int(binary.BigEndian.Uint16(head[1:]))
	s.cur.data = slices.Grow(s.cur.data[:0], n)[:n]
	_, err := io.ReadFull(s.r, s.cur.data)
	return s.cur.data, err
}

// Close ends the stream.
func (s *Stream) Close() {
	if s.cur != nil {
		frames.Put(s.cur)
		s.cur = nil
	}
}
