// Right: struct sent whole with a copy of its memory
package r13

import (
	"bytes"
	"sync"
)

type Event struct {
	Kind string
	Data []byte
}

var events = sync.Pool{New: func() any { return new(Event) }}

type Journal struct{ all []Event }

func (j *Journal) Add(kind string, data []byte) {
	e := events.Get().(*Event)
	defer events.Put(e)
	e.Kind = kind
	e.Data = append(e.Data[:0], data...)
	j.all = append(j.all, Event{Kind: e.Kind, Data: bytes.Clone(e.Data)})
}
