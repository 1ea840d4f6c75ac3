package escape

import (
	"bytes"
	"context"
	"io"

	"example.org/corpus/lib/errands"
)

// What others do with the memory when they have returned.

func postLetter(w io.Writer, name string) {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	b.WriteString(name)
	errands.Post(w, b.Bytes()) // want "PV004"
	buffers.Put(b)
}

func sendWithin(ctx context.Context, w io.Writer, name string) error {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	b.WriteString(name)
	return errands.Within(ctx, w, b.Bytes()) // want "PV004"
}

type courier struct{ out io.Writer }

func (c *courier) carry(e *event) { _, _ = c.out.Write(e.data) }

// dispatch has the event carried by somebody else.
func (c *courier) dispatch(e *event) {
	if len(e.data) > 0 {
		go c.carry(e)
	}
}

func (c *courier) announce(name string) {
	e := events.Get().(*event)
	e.data = append(e.data[:0], name...)
	c.dispatch(e) // want "PV004"
	events.Put(e)
}

// accepted puts exactly what is still being written.
func accepted(slots chan struct{}, w io.Writer, name string) bool {
	p := slices.Get().(*[]byte)
	*p = append((*p)[:0], name...)
	taken := errands.Accept(slots, w, *p) // want "PV004"
	if taken {
		slices.Put(p)
	}
	return taken
}
