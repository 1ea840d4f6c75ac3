// Package chat broadcasts messages to the members of a room.
package chat

import (
	"bytes"
	"encoding/json"
	"io"
	"sync"
	"time"
)

type event struct {
	Room string
	Text []byte
	At   time.Time
	seen bool
}

var events = sync.Pool{New: func() any { return new(event) }}

var buffers sync.Pool

type member struct {
	name string
	out  chan []byte
	last *event
}

type room struct {
	mu      sync.RWMutex
	members map[string]*member
	history [][]byte
	timers  []*time.Timer
}

// buffer has no New, so the first Get returns nil.
func buffer() *bytes.Buffer {
	b := buffers.Get().(*bytes.Buffer) // want "PV018"
	b.Reset()
	return b
}

// broadcast sends memory of the buffer to each member and then puts it.
func (r *room) broadcast(e *event) error {
	b := buffer()
	if err := json.NewEncoder(b).Encode(e); err != nil {
		buffers.Put(b)
		return err
	}
	r.mu.RLock()
	for _, m := range r.members {
		m.out <- b.Bytes() // want "PV004"
	}
	r.mu.RUnlock()
	buffers.Put(b)
	return nil
}

// remember appends memory of the buffer to the history.
func (r *room) remember(e *event) {
	b := buffer()
	defer buffers.Put(b)
	json.NewEncoder(b).Encode(e)
	r.history = append(r.history, b.Bytes()) // want "PV004"
}

// later uses the event in a timer that runs after the put.
func (r *room) later(text string, d time.Duration) {
	e := events.Get().(*event)
	e.Text = append(e.Text[:0], text...)
	r.timers = append(r.timers, time.AfterFunc(d, func() { r.broadcast(e) })) // want "PV004"
	events.Put(e)
}

// deliver sets the member's last event and puts that event.
func (m *member) deliver(w io.Writer, text string) error {
	e := events.Get().(*event)
	e.Text = append(e.Text[:0], text...)
	m.last = e // want "PV004"
	_, err := w.Write(e.Text)
	events.Put(e)
	return err
}
