// Package mailq delivers mail from a queue.
package mailq

import (
	"bufio"
	"context"
	"errors"
	"io"
	"sync"
)

type message struct {
	From, To string
	Body     []byte
	Urgent   bool
	Headers  map[string]string
}

var messages = sync.Pool{New: func() any { return &message{Headers: map[string]string{}} }}

var readers = sync.Pool{New: func() any { return bufio.NewReader(nil) }}

type queue struct {
	in   chan *message
	done chan struct{}
}

// submit sends a message and puts it although the worker has it.
func (q *queue) submit(ctx context.Context, from, to string) error {
	m := messages.Get().(*message)
	defer messages.Put(m)
	m.From, m.To = from, to
	select {
	case q.in <- m: // want "PV004|PV002|PV001"
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// work delivers and puts what it received.
func (q *queue) work(deliver func(*message) error) {
	for m := range q.in {
		deliver(m)
		clear(m.Headers)
		messages.Put(m)
	}
}

// parse reads a message; on a syntax error the reader is lost.
func parse(r io.Reader) (string, error) {
	br := readers.Get().(*bufio.Reader)
	br.Reset(r)
	s, err := br.ReadString('\n')
	if err != nil {
		readers.Put(br)
		return "", err
	}
	if len(s) < 2 {
		return "", errors.New("empty line") // want "PV005"
	}
	readers.Put(br)
	return s, nil
}

// snapshot copies the struct, whose map and slice are still those of the pool's.
func snapshot(fill func(*message)) message {
	m := messages.Get().(*message)
	fill(m)
	out := *m
	messages.Put(m)
	return out // want "PV001|PV003"
}

// route asks the urgent flag of a message that nobody has cleared.
func route(to string) bool {
	m := messages.Get().(*message)
	m.To = to
	urgent := m.Urgent // want "PV011"
	messages.Put(m)
	return urgent
}

func mark(m *message) { m.Urgent = true }

// firstLine returns a slice of the reader's own memory.
func firstLine(r io.Reader) ([]byte, error) {
	br := readers.Get().(*bufio.Reader)
	defer readers.Put(br)
	br.Reset(r)
	line, _, err := br.ReadLine()
	return line, err // want "PV003"
}
