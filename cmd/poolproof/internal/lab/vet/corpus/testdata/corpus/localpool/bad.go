// Package localpool makes a pool for each call, which keeps nothing.
package localpool

import (
	"bytes"
	"io"
	"sync"
)

func literal(w io.Writer, name string) {
	p := sync.Pool{New: func() any { return new(bytes.Buffer) }} // want "PV010"
	b := p.Get().(*bytes.Buffer)
	b.WriteString(name)
	b.WriteTo(w)
	p.Put(b)
}

func pointer(w io.Writer, name string) error {
	p := &sync.Pool{New: func() any { return new(bytes.Buffer) }} // want "PV010"
	b := p.Get().(*bytes.Buffer)
	defer p.Put(b)
	b.WriteString(name)
	_, err := b.WriteTo(w)
	return err
}

func declared(r io.Reader) (int64, error) {
	var p sync.Pool // want "PV010"
	p.New = func() any { return new(bytes.Buffer) }
	b := p.Get().(*bytes.Buffer)
	n, err := b.ReadFrom(r)
	p.Put(b)
	return n, err
}

type handler struct{ w io.Writer }

func (h *handler) serve(name string) {
	pool := new(sync.Pool) // want "PV010"
	b, ok := pool.Get().(*bytes.Buffer)
	if !ok {
		b = new(bytes.Buffer)
	}
	b.WriteString(name)
	b.WriteTo(h.w)
	pool.Put(b)
}
