package a

import (
	"bytes"
	"errors"
	"io"
	"sync"
)

// Close puts by a deferred literal.
type encoder struct {
	buf *bytes.Buffer
	out io.Closer
	err error
}

var encoders = sync.Pool{New: func() any { return new(bytes.Buffer) }}

func newEncoder(out io.Closer) *encoder {
	return &encoder{buf: encoders.Get().(*bytes.Buffer), out: out}
}

func freeEncoder(b *bytes.Buffer) {
	b.Reset()
	encoders.Put(b)
}

func (e *encoder) Close() (err error) {
	defer func() {
		if e.buf != nil {
			freeEncoder(e.buf)
		}
		if e.out == nil {
			return
		}
		err = e.out.Close()
		e.out = nil
	}()
	if e.err != nil {
		return e.err
	}
	e.err = errors.New("closed")
	return nil
}

func encode(out io.Closer) error {
	e := newEncoder(out)
	defer e.Close() // want `PV002 double-put .*is put again by this deferred call: Close \(line \d+\) put it`
	if e.err != nil {
		return e.err
	}
	return e.Close()
}

type encoderOnce struct{ encoder }

func (e *encoderOnce) Close() (err error) {
	defer func() {
		if e.buf != nil {
			freeEncoder(e.buf)
			e.buf = nil
		}
	}()
	return e.err
}

func encodeOnce(out io.Closer) error {
	e := &encoderOnce{*newEncoder(out)}
	defer e.Close()
	return e.Close()
}

// The literal puts only where the function fails.
type encoderFailing struct {
	buf *bytes.Buffer
	err error
}

func (e *encoderFailing) Close() (err error) {
	defer func() {
		if err != nil {
			encoders.Put(e.buf)
		}
	}()
	return e.err
}

func encodeFailing() error {
	e := &encoderFailing{buf: encoders.Get().(*bytes.Buffer)}
	defer e.Close()
	return e.Close()
}
