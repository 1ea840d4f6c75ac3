// Package wsframes reads frames of a web socket.
package wsframes

import (
	"encoding/binary"
	"errors"
	"io"
	"sync"
)

type frame struct {
	op      byte
	fin     bool
	masked  bool
	payload []byte
}

var frames = sync.Pool{New: func() any { return &frame{payload: make([]byte, 0, 4096)} }}

func release(f *frame) {
	f.payload = f.payload[:0]
	frames.Put(f)
}

func read(r io.Reader) (*frame, error) {
	f := frames.Get().(*frame)
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		release(f)
		return nil, err
	}
	f.op = head[0] & 15
	f.fin = head[0]&128 != 0
	if head[1]&128 != 0 { // never cleared
		f.masked = true
	}
	n := int(binary.BigEndian.Uint16(head[2:]))
	if f.op > 10 {
		return nil, errors.New("unknown operation") // want "PV005"
	}
	if cap(f.payload) < n {
		f.payload = make([]byte, n)
	}
	f.payload = f.payload[:n]
	_, err := io.ReadFull(r, f.payload)
	if err != nil {
		release(f)
		return nil, err
	}
	return f, nil
}

// Message joins the frames of one message.
func Message(r io.Reader) ([]byte, error) {
	f, err := read(r)
	if err != nil {
		return nil, err
	}
	if f.fin {
		p := f.payload
		release(f)
		return p, nil // want "PV001|PV003"
	}
	msg := append([]byte(nil), f.payload...)
	release(f)
	for {
		f, err := read(r)
		if err != nil {
			return nil, err
		}
		msg = append(msg, f.payload...)
		fin := f.fin
		release(f)
		if fin {
			return msg, nil
		}
		if f.op != 0 { // want "PV001"
			return nil, errors.New("interleaved")
		}
	}
}
