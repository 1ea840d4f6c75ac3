// Wrong: a pooled struct is copied whole into what the caller gave
package w2

import (
	"sync"
)

type Message struct {
	Topic string
	Body  []byte
}

var messages = sync.Pool{New: func() any { return new(Message) }}

func Parse(line []byte, out *Message) {
	m := messages.Get().(*Message)
	m.Topic = string(line[:4])
	m.Body = append(m.Body[:0], line[4:]...)
	*out = *m // want "PV004" Body of out is memory of m
	messages.Put(m)
}
