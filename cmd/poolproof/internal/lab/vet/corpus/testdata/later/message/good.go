// Package message is right.
package message

import (
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

type Msg struct {
	ID   uint32
	Body []byte
	buf  *[]byte
}

var bufs = sync.Pool{New: func() any { b := make([]byte, 4096); return &b }}

// Free gives the memory of the body back.
func (m *Msg) Free() {
	if m.buf != nil {
		bufs.Put(m.buf)
		m.buf, m.Body = nil, nil
	}
}

func Read(r io.Reader) (*Msg, error) {
	buf := bufs.Get().(*[]byte)
	b := *buf
	if _, err := io.ReadFull(r, b[:8]); err != nil {
		bufs.Put(buf)
		return nil, err
	}
	n := binary.BigEndian.Uint32(b[4:])
	if int(n) > len(b)-8 {
		bufs.Put(buf)
		return nil, errors.New("too long")
	}
	if _, err := io.ReadFull(r, b[8:8+n]); err != nil {
		bufs.Put(buf)
		return nil, err
	}
	return &Msg{ID: binary.BigEndian.Uint32(b), Body: b[8 : 8+n], buf: buf}, nil
}

func Echo(rw io.ReadWriter) error {
	for {
		m, err := Read(rw)
		if err != nil {
			return err
		}
		_, err = rw.Write(m.Body)
		m.Free()
		if err != nil {
			return err
		}
	}
}
