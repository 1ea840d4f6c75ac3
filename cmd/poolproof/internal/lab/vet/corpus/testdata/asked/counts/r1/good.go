// Right: reference count: one for the goroutine, one for the function
package r1

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

func Fan(ws []io.Writer, s string) {
	m := newMsg()
	defer m.Release()
	m.Data = append(m.Data, s...)
	for _, w := range ws {
		m.Retain()
		go func() {
			defer m.Release()
			w.Write(m.Data)
		}()
	}
}
