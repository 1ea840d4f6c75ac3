package a

import (
	"io"
	"sync"
)

type reader struct{ in io.Reader }

var readers = sync.Pool{New: func() any { return new(reader) }}

func (r *reader) Read(p []byte) (int, error) { return r.in.Read(p) }

func (r *reader) Close() error {
	readers.Put(r)
	return nil
}

type store interface{ Put(io.Reader) error }

func hidden(s store, in io.Reader, packed bool) error {
	var r *reader
	defer func() { // want `this ends another r than line \d+ gets from a pool: the variable here is never set; assign to it there, and declare none of that name`
		if r != nil {
			r.Close()
		}
	}()
	if packed {
		r, ok := readers.Get().(*reader)
		if !ok {
			return io.EOF
		}
		in = r
	}
	return s.Put(in)
}

func hiddenInGoroutine(s store, in io.Reader) {
	var r *reader
	defer func() { // want `this ends another r`
		if r != nil {
			r.Close()
		}
	}()
	done := make(chan bool)
	go func() {
		r := readers.Get().(*reader)
		r.in = in
		s.Put(r)
		close(done)
	}()
	<-done
}

func assigned(s store, in io.Reader, packed bool) error {
	var r *reader
	defer func() {
		if r != nil {
			r.Close()
		}
	}()
	if packed {
		r = readers.Get().(*reader)
		in = r
	}
	return s.Put(in)
}

// The one that is hidden is set too.
func both(s store, in io.Reader, packed bool) error {
	var r *reader
	defer func() {
		if r != nil {
			r.Close()
		}
	}()
	if packed {
		r = new(reader)
	} else {
		r := readers.Get().(*reader)
		in = r
	}
	return s.Put(in)
}

func open(r **reader) { *r = new(reader) }

// A function sets the one that is hidden.
func setByOthers(s store, in io.Reader, packed bool) error {
	var r *reader
	open(&r)
	defer func() { r.Close() }()
	if packed {
		r, ok := readers.Get().(*reader)
		if !ok {
			return io.EOF
		}
		in = r
	}
	return s.Put(in)
}
