// Wrong: a pooled struct is returned whole, with its slice
package w1

import (
	"bufio"
	"sync"
)

type Message struct {
	Topic string
	Body  []byte
}

var messages = sync.Pool{New: func() any { return new(Message) }}

func Parse(r *bufio.Reader) (Message, error) {
	m := messages.Get().(*Message)
	defer messages.Put(m)
	line, err := r.ReadSlice('\n')
	if err != nil {
		return Message{}, err
	}
	m.Topic = string(line[:4])
	m.Body = append(m.Body[:0], line[4:]...)
	return *m, nil // want "PV003" Body of the copy is memory of m
}
