// Package events has the events of a logger: each is built, sent, and gone.
package events

import (
	"io"
	"strconv"
	"sync"
)

// Event is one line that is being built. Msg ends its life.
type Event struct {
	buf   []byte
	out   io.Writer
	hooks []Hook
	done  func(string)
}

// Hook looks at each event before it is sent.
type Hook interface {
	Run(e *Event, level, msg string)
}

var events = sync.Pool{New: func() any { return &Event{buf: make([]byte, 0, 500)} }}

func putEvent(e *Event) {
	if cap(e.buf) > 1<<16 {
		return
	}
	events.Put(e)
}

func newEvent(out io.Writer) *Event {
	e := events.Get().(*Event)
	e.buf = e.buf[:0]
	e.hooks, e.done = nil, nil
	e.out = out
	e.buf = append(e.buf, '{')
	return e
}

func (e *Event) Str(key, val string) *Event {
	if e == nil {
		return e
	}
	e.buf = append(strconv.AppendQuote(e.buf, key), ':')
	e.buf = append(strconv.AppendQuote(e.buf, val), ',')
	return e
}

func (e *Event) Int(key string, n int) *Event {
	if e == nil {
		return e
	}
	e.buf = append(strconv.AppendQuote(e.buf, key), ':')
	e.buf = append(strconv.AppendInt(e.buf, int64(n), 10), ',')
	return e
}

// Msg sends e.
func (e *Event) Msg(msg string) {
	if e == nil {
		return
	}
	e.msg(msg)
}

// Send is Msg without words.
func (e *Event) Send() {
	if e == nil {
		return
	}
	e.msg("")
}

func (e *Event) msg(msg string) {
	for _, h := range e.hooks {
		h.Run(e, "", msg)
	}
	if msg != "" {
		e.buf = strconv.AppendQuote(append(e.buf, `"message":`...), msg)
	}
	if e.done != nil {
		defer e.done(msg)
	}
	if err := e.write(); err != nil {
		io.WriteString(io.Discard, err.Error())
	}
}

func (e *Event) write() (err error) {
	if e.out != nil {
		e.buf = append(e.buf, '}', '\n')
		_, err = e.out.Write(e.buf)
	}
	putEvent(e)
	return err
}

// Logger makes events.
type Logger struct {
	Out     io.Writer
	Quiet   bool
	context []byte
	hooks   []Hook
}

func (l *Logger) event() *Event {
	if l.Quiet {
		return nil
	}
	e := newEvent(l.Out)
	e.hooks = l.hooks
	e.buf = append(e.buf, l.context...)
	return e
}

func (l *Logger) Info() *Event { return l.event() }

func (l *Logger) Debug() *Event { return l.event().Str("level", "debug") }

// Checked is an entry that some cores have asked for.
type Checked struct {
	Text  string
	cores []func(string, ...string) error
}

var checked = sync.Pool{New: func() any { return &Checked{cores: make([]func(string, ...string) error, 0, 4)} }}

// Check returns nil where nobody wants the entry.
func Check(text string, core func(string, ...string) error) *Checked {
	if core == nil {
		return nil
	}
	c := checked.Get().(*Checked)
	c.Text = text
	c.cores = append(c.cores[:0], core)
	return c
}

// Write gives it to all cores, and puts it.
func (c *Checked) Write(fields ...string) {
	if c == nil {
		return
	}
	for i := range c.cores {
		if err := c.cores[i](c.Text, fields...); err != nil {
			break
		}
	}
	checked.Put(c)
}
