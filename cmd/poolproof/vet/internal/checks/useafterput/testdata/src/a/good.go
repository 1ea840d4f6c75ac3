package a

import (
	"bufs"
	"bytes"
	"io"
	"sync"
	"sync/atomic"
)

var (
	boxes    = sync.Pool{New: func() any { return new(box) }}
	counteds = sync.Pool{New: func() any { return new(counted) }}
)

func mayBeAnother(w io.Writer, own *bytes.Buffer, pooled bool) {
	b := own
	if pooled {
		b = bufs.Get()
		bufs.Put(b)
		b = own
	}
	b.WriteTo(w)
}

func contradiction(w io.Writer, done bool) {
	b := bufs.Get()
	if done {
		bufs.Put(b)
	}
	if !done {
		b.WriteTo(w)
		bufs.Put(b)
	}
}

func copied() string {
	b := bufs.Get()
	text := b.String()
	bufs.Put(b)
	return text
}

func rightOrder(w io.Writer) {
	b := bufs.Get()
	defer bufs.Put(b)
	defer b.WriteTo(w)
}

type box struct{ data []byte }

func (x *box) take() []byte {
	data := x.data
	x.data = nil
	return data
}

// The box has let go of its slice.
func detached(w io.Writer) {
	x := boxes.Get().(*box)
	data := x.data
	x.data = nil
	boxes.Put(x)
	w.Write(data)
}

// The last owner puts: who else has it may go on.
type counted struct {
	refs atomic.Int32
	data []byte
}

func (c *counted) release() {
	if c.refs.Add(-1) == 0 {
		counteds.Put(c)
	}
}

func shared(c *counted) []byte {
	c.release()
	return c.data
}

// Each round has its own.
func rounds(list []*box, w io.Writer) {
	for _, x := range list {
		w.Write(x.data)
		boxes.Put(x)
	}
}
