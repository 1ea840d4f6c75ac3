// Right: reference count: retained, released, used, released
package r2

import (
	"io"
	"sync"
	"sync/atomic"
)

type Msg struct {
	refs atomic.Int32
	Data []byte
}

var msgs = sync.Pool{New: func() any { return new(Msg) }}

func newMsg() *Msg {
	m := msgs.Get().(*Msg)
	m.refs.Store(1)
	m.Data = m.Data[:0]
	return m
}

func (m *Msg) Retain() { m.refs.Add(1) }

func (m *Msg) Release() {
	if m.refs.Add(-1) == 0 {
		msgs.Put(m)
	}
}

type store struct{ last *Msg }

func (s *store) Echo(w io.Writer, text string) error {
	m := newMsg()
	m.Data = append(m.Data, text...)
	m.Retain()
	if s.last != nil {
		s.last.Release()
	}
	s.last = m
	_, err := w.Write(m.Data)
	m.Release()
	return err
}
