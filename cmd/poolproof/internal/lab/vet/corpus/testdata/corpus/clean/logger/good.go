// Package logger writes structured lines. Each event is pooled from the call that
// begins it to the one that ends it.
package logger

import (
	"io"
	"strconv"
	"sync"
	"time"
)

// Logger writes events to one writer.
type Logger struct {
	mu     sync.Mutex
	w      io.Writer
	events sync.Pool
	now    func() time.Time
}

// Event is one line that is being built. It is not to be used after Msg or Send.
type Event struct {
	log *Logger
	buf []byte
	err error
}

// New returns a logger.
func New(w io.Writer) *Logger {
	l := &Logger{w: w, now: time.Now}
	l.events.New = func() any { return &Event{buf: make([]byte, 0, 512)} }
	return l
}

// Begin starts an event, or returns nil if the logger has no writer.
func (l *Logger) Begin(level string) *Event {
	if l.w == nil {
		return nil // fine "PV006" nothing was got
	}
	e := l.events.Get().(*Event) // fine "PV018" New is set in New
	e.log, e.err = l, nil
	e.buf = append(e.buf[:0], level...)
	return e // fine "PV006" the caller ends it
}

// Str adds a text.
func (e *Event) Str(key, value string) *Event {
	if e == nil {
		return e
	}
	e.buf = append(e.buf, ' ')
	e.buf = append(e.buf, key...)
	e.buf = append(e.buf, '=')
	e.buf = strconv.AppendQuote(e.buf, value)
	return e // fine "PV003" the same event, nothing is put
}

// Int adds a number.
func (e *Event) Int(key string, n int) *Event {
	if e == nil {
		return e
	}
	e.buf = append(e.buf, ' ')
	e.buf = append(e.buf, key...)
	e.buf = append(e.buf, '=')
	e.buf = strconv.AppendInt(e.buf, int64(n), 10)
	return e
}

// Msg ends the event.
func (e *Event) Msg(text string) {
	if e == nil {
		return
	}
	e.Str("msg", text).send() // fine "PV001" sent once
}

// Send ends the event without a text.
func (e *Event) Send() {
	if e == nil {
		return
	}
	e.send()
}

func (e *Event) send() {
	e.buf = append(e.buf, '\n')
	l := e.log
	l.mu.Lock()
	_, e.err = l.w.Write(e.buf)
	l.mu.Unlock()
	put(e)
}

func put(e *Event) {
	if cap(e.buf) > 64<<10 {
		return // fine "PV005" too large to keep
	}
	l := e.log
	e.log = nil
	l.events.Put(e) // fine "PV001" l was read before
}

func use(l *Logger, names []string) {
	for i, n := range names {
		l.Begin("info").Str("name", n).Int("i", i).Msg("seen") // fine "PV006" ended by Msg
	}
	if e := l.Begin("debug"); e != nil {
		e.Str("done", "yes").Send() // fine "PV005" ended if there is one
	}
}
