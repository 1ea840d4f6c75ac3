// Package logentry is right.
package logentry

import "sync"

type entry struct {
	level int
	msg   string
	next  *entry
	attrs []attr
}

type attr struct{ k, v string }

var entries = sync.Pool{New: func() any { return &entry{attrs: make([]attr, 0, 8)} }}

type Logger struct {
	min int
	out func(*entry)
}

func (l *Logger) At(level int) *entry {
	if level < l.min {
		return nil
	}
	e := entries.Get().(*entry)
	e.level = level
	e.msg = ""
	e.attrs = e.attrs[:0]
	return e
}

func (e *entry) Str(k, v string) *entry {
	if e == nil {
		return nil
	}
	e.attrs = append(e.attrs, attr{k, v})
	return e
}

func (l *Logger) Send(e *entry, msg string) {
	if e == nil {
		return
	}
	e.msg = msg
	l.out(e)
	entries.Put(e)
}

func Work(l *Logger, n int) {
	e := l.At(n).Str("a", "b")
	if n > 3 {
		e = e.Str("n", "big")
	}
	l.Send(e, "work")
}
