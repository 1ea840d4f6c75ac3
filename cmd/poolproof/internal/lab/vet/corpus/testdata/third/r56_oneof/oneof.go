// Package oneof encodes the messages of a chat protocol.
package oneof

import (
	"encoding/binary"
	"fmt"
	"io"
	"sync"
)

type encoder struct {
	buf []byte
}

var encoders = sync.Pool{New: func() any { return &encoder{buf: make([]byte, 0, 256)} }}

// Text is a line of a user.
type Text struct {
	From, Line string
}

// Join tells that a user has come.
type Join struct {
	User string
	Room uint32
}

// Ping asks for an answer.
type Ping struct{}

func (e *encoder) string(s string) {
	e.buf = binary.AppendUvarint(e.buf, uint64(len(s)))
	e.buf = append(e.buf, s...)
}

func (e *encoder) message(m any) error {
	e.buf = append(e.buf[:0], 0, 0, 0, 0)
	switch m := m.(type) {
	case Text:
		e.buf = append(e.buf, 1)
		e.string(m.From)
		e.string(m.Line)
	case *Text:
		return e.message(*m)
	case Join:
		e.buf = append(e.buf, 2)
		e.string(m.User)
		e.buf = binary.BigEndian.AppendUint32(e.buf, m.Room)
	case Ping:
		e.buf = append(e.buf, 3)
	default:
		return fmt.Errorf("oneof: no message: %T", m)
	}
	binary.BigEndian.PutUint32(e.buf, uint32(len(e.buf)-4))
	return nil
}

// Marshal returns the encoded message.
func Marshal(m any) ([]byte, error) {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	if err := e.message(m); err != nil {
		return nil, err
	}
	out := make([]byte, len(e.buf))
	copy(out, e.buf)
	return out, nil
}

// Write writes the encoded messages to w.
func Write(w io.Writer, all ...any) error {
	e := encoders.Get().(*encoder)
	defer encoders.Put(e)
	for i, m := range all {
		if err := e.message(m); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
		if _, err := w.Write(e.buf); err != nil {
			return err
		}
	}
	return nil
}
