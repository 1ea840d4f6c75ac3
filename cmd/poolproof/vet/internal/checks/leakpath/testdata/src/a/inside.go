package a

import (
	"bufs"
	"bytes"
	"errors"
	"io"
	"sync"
)

type mux struct {
	sinks map[string]bool
	kept  []*bytes.Buffer
	last  *bytes.Buffer

	closed bool
}

func (m *mux) listen(r io.Reader) {
	for {
		b := bufs.Get()
		n, err := r.Read(b.Bytes())
		if err != nil {
			bufs.Put(b)
			return
		}
		b.Truncate(n)
		m.keep(b, 3)
	}
}

// listen puts what it cannot read: it has more to do with the object than to pass it on.
func (m *mux) keep(b *bytes.Buffer, n int) {
	if n > 3 {
		return
	}
	m.kept = append(m.kept, b)
}

func (m *mux) accept(name string) {
	b := bufs.Get()
	b.WriteString(name)
	m.dispatch(name, b)
}

func (m *mux) dispatch(name string, one *bytes.Buffer) {
	if name == "" {
		return // want `this return loses one, as does line 55: \(\*mux\)\.accept took it from a pool \(line 41\) and leaves it to this function, which puts it or hands it on only on other paths`
	}
	if m.sinks[name] {
		m.last = one
		return
	}
	if m.closed {
		return
	}
	m.kept = append(m.kept, one)
}

func (m *mux) tell(name string) error {
	b := bufs.Get()
	b.WriteString(name)
	return m.told(b)
}

func (m *mux) told(b *bytes.Buffer) error {
	if m.last == nil {
		return errors.New("closed") // want `this return of an error loses b`
	}
	bufs.Put(b)
	return nil
}

// What the object refers to does not make it unfit for others.
type options struct {
	next *mux
	tail []byte
	n    int
}

var allOptions = sync.Pool{New: func() any { return new(options) }}

func (m *mux) entry(set ...func(*options)) int {
	o := allOptions.Get().(*options)
	for _, f := range set {
		f(o)
	}
	return m.entered(o)
}

func (m *mux) entered(o *options) int {
	if o.next == nil {
		return 0 // want `this return loses o`
	}
	if o.tail == nil {
		return 0
	}
	n := o.n
	allOptions.Put(o)
	return n
}

// The caller has asked already.
func (m *mux) nonNil(name string) *mux {
	if m == nil {
		return m
	}
	b := bufs.Get()
	b.WriteString(name)
	return m.orNil(b)
}

func (m *mux) orNil(b *bytes.Buffer) *mux {
	if m == nil {
		return m
	}
	m.kept = append(m.kept, b)
	return m
}

func (m *mux) unasked(name string) *mux {
	b := bufs.Get()
	b.WriteString(name)
	return m.orNothing(b)
}

func (m *mux) orNothing(b *bytes.Buffer) *mux {
	if m == nil {
		return m // want `this return loses b`
	}
	m.kept = append(m.kept, b)
	return m
}

// What is too large is left to the collector.
func (m *mux) size(name string) {
	b := bufs.Get()
	b.WriteString(name)
	m.sized(b)
}

func (m *mux) sized(b *bytes.Buffer) {
	if b.Cap() > 1<<16 {
		return
	}
	m.kept = append(m.kept, b)
}

// Nobody hands it on but the caller.
func (m *mux) both(name string) {
	b := bufs.Get()
	b.WriteString(name)
	m.maybe(b)
	bufs.Put(b)
}

func (m *mux) maybe(b *bytes.Buffer) {
	if m.last == nil {
		return
	}
	io.WriteString(io.Discard, b.String())
}

// A callee hands it on in a struct.
type frame struct {
	b *bytes.Buffer
	n int
}

func (m *mux) frames(r io.Reader, h chan<- *frame) {
	for {
		b := bufs.Get()
		n, err := r.Read(b.Bytes())
		if err != nil {
			return // want `this return of an error loses b`
		}
		m.frame(b, h, n)
	}
}

func (m *mux) frame(b *bytes.Buffer, h chan<- *frame, n int) {
	if n == 0 {
		return // want `this return loses b`
	}
	h <- &frame{b, n}
}

// The callee says whether it took the object.
func (m *mux) asks(name string) {
	b := bufs.Get()
	b.WriteString(name)
	if !m.takes(b) {
		bufs.Put(b)
	}
}

func (m *mux) takes(b *bytes.Buffer) bool {
	if m.last == nil {
		return false
	}
	m.kept = append(m.kept, b)
	return true
}

// A function that is named as one which gives back may leave out what it likes.
func (m *mux) ends(name string) {
	b := bufs.Get()
	b.WriteString(name)
	m.release(b)
}

func (m *mux) release(b *bytes.Buffer) {
	if m.last == nil {
		return
	}
	m.kept = append(m.kept, b)
}

// What the function uses afterwards, it has only lent.
func (m *mux) reads(name string) int {
	b := bufs.Get()
	b.WriteString(name)
	m.shown(b)
	return b.Len()
}

func (m *mux) shown(b *bytes.Buffer) {
	if m.closed {
		return
	}
	m.last = b
}

// It goes on with what the callee returns.
func (m *mux) chain(name string) {
	b := bufs.Get()
	c := m.grown(b, name)
	c.WriteString(name)
}

func (m *mux) grown(b *bytes.Buffer, name string) *bytes.Buffer {
	if name == "" {
		return b
	}
	m.kept = append(m.kept, b)
	return new(bytes.Buffer)
}

// The struct that holds it goes along.
type box struct{ b *bytes.Buffer }

func (m *mux) boxed(name string) {
	b := bufs.Get()
	m.unbox(b, &box{b}, name)
}

func (m *mux) unbox(b *bytes.Buffer, x *box, name string) {
	if name == "" {
		m.last = x.b
		return
	}
	m.kept = append(m.kept, b)
}
