// Wrong: reference count: given up twice, deferred too
package w2

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

func Echo(w io.Writer, s string) error {
	m := newMsg()
	defer m.Release() // want "PV002" also released below
	m.Data = append(m.Data, s...)
	if _, err := w.Write(m.Data); err != nil {
		m.Release()
		return err
	}
	return nil
}
