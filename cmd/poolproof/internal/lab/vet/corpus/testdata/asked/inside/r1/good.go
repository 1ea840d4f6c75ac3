// Right: a pooled struct is returned whole, with a copy of its slice
package r1

import (
	"bufio"
	"bytes"
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
	out := *m
	out.Body = bytes.Clone(m.Body)
	return out, nil
}
