// Package frames is right.
package frames

import (
	"errors"
	"io"
	"sync"
)

type frame struct {
	kind byte
	p    []byte
}

var frames = sync.Pool{New: func() any { return new(frame) }}

func release(f *frame) {
	f.kind = 0
	f.p = f.p[:0]
	frames.Put(f)
}

func read(r io.Reader) (f *frame, err error) {
	f = frames.Get().(*frame)
	defer func() {
		if err != nil {
			release(f)
			f = nil
		}
	}()
	var h [2]byte
	if _, err = io.ReadFull(r, h[:]); err != nil {
		return
	}
	if h[0] > 9 {
		return nil, errors.New("bad kind")
	}
	f.kind = h[0]
	if n := int(h[1]); cap(f.p) < n {
		f.p = make([]byte, n)
	} else {
		f.p = f.p[:n]
	}
	_, err = io.ReadFull(r, f.p)
	return f, err
}

func Message(r io.Reader) ([]byte, error) {
	var msg []byte
	for {
		f, err := read(r)
		if err != nil {
			return nil, err
		}
		msg = append(msg, f.p...)
		last := f.kind == 1
		release(f)
		if last {
			return msg, nil
		}
	}
}
