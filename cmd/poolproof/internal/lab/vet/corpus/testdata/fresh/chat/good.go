package chat

import (
	"bytes"
	"encoding/json"
	"io"
	"time"
)

func bufferRight() *bytes.Buffer {
	if b, ok := buffers.Get().(*bytes.Buffer); ok {
		b.Reset()
		return b // fine "PV018" the other form tests
	}
	return new(bytes.Buffer)
}

func (r *room) broadcastRight(e *event) error {
	b := bufferRight()
	defer buffers.Put(b)
	if err := json.NewEncoder(b).Encode(e); err != nil {
		return err
	}
	msg := bytes.Clone(b.Bytes())
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, m := range r.members {
		m.out <- msg // fine "PV004" a copy
	}
	return nil
}

func (r *room) laterRight(text string, d time.Duration) {
	e := events.Get().(*event)
	e.Text = append(e.Text[:0], text...)
	time.AfterFunc(d, func() {
		r.broadcastRight(e)
		events.Put(e) // fine "PV002" the timer owns it
	})
}

// deliverRight puts the event that the new one replaces.
func (m *member) deliverRight(w io.Writer, text string) error {
	e := events.Get().(*event)
	e.Text = append(e.Text[:0], text...)
	if m.last != nil {
		events.Put(m.last)
	}
	m.last = e // fine "PV004" kept until the next one
	_, err := w.Write(e.Text)
	return err
}

// pump writes what comes in and stops at the first error.
func (m *member) pump(w io.Writer, in <-chan *event) (err error) {
	for e := range in {
		if err == nil {
			_, err = w.Write(e.Text)
		}
		events.Put(e) // fine "PV002" each event once
	}
	return err
}

// once gives the event to whoever calls, by a function to release it.
func once(text string) (*event, func()) {
	e := events.Get().(*event)
	e.Text = append(e.Text[:0], text...)
	e.seen = false
	return e, func() { events.Put(e) } // fine "PV003" released by the caller
}

func say(w io.Writer, text string) error {
	e, release := once(text)
	defer release()
	_, err := w.Write(e.Text)
	return err
}
