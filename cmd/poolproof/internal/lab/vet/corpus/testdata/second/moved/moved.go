// Package moved builds messages whose memory the receiver gets for good.
package moved

import "sync"

// Message is what a receiver gets.
type Message struct {
	Topic string
	Body  []byte
}

type builder struct{ buf []byte }

var builders = sync.Pool{New: func() any { return new(builder) }}

// Build returns a message with the parts. The slice leaves the builder.
func Build(topic string, parts ...string) *Message {
	b := builders.Get().(*builder)
	b.buf = make([]byte, 0, 64)
	for _, p := range parts {
		b.buf = append(b.buf, p...)
	}
	m := &Message{Topic: topic, Body: b.buf}
	b.buf = nil
	builders.Put(b)
	return m
}

// Size returns how long a message with the parts would be.
func Size(parts ...string) int {
	b := builders.Get().(*builder)
	b.buf = b.buf[:0]
	for _, p := range parts {
		b.buf = append(b.buf, p...)
	}
	n := len(b.buf)
	builders.Put(b)
	return n
}
