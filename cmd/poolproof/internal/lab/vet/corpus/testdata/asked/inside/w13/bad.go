// Wrong: struct copied whole into a slice that is kept
package w13

import (
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
	j.all = append(j.all, *e) // want "PV004" Data of the copy is memory of e
}
