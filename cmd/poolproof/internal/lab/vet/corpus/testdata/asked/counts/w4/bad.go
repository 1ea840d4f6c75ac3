// Wrong: reference count: memory returned under a deferred Release of the only reference
package w4

import (
	"sync"
	"sync/atomic"
)

type Msg struct {
	refs int32
	Data []byte
}

var msgs = sync.Pool{New: func() any { return new(Msg) }}

func newMsg() *Msg {
	m := msgs.Get().(*Msg)
	m.refs = 1
	m.Data = m.Data[:0]
	return m
}

func (m *Msg) Release() {
	if atomic.AddInt32(&m.refs, -1) > 0 {
		return
	}
	msgs.Put(m)
}

func Encode(s string) []byte {
	m := newMsg()
	defer m.Release()
	m.Data = append(m.Data, s...)
	return m.Data // want "PV003" the deferred Release gives up the only reference
}
