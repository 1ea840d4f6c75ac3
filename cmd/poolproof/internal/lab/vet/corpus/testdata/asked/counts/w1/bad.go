// Wrong: reference count: the only reference is given up, then read
package w1

import (
	"fmt"
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

func Echo(r io.Reader, w io.Writer) error {
	m := newMsg()
	m.Data = append(m.Data, "echo"...)
	_, err := w.Write(m.Data)
	m.Release()
	if err != nil {
		return fmt.Errorf("echo %q: %w", m.Data, err) // want "PV001" the only reference was given up
	}
	return nil
}
