// Package frames has messages that count their owners.
package frames

import (
	"sync"
	"sync/atomic"
)

// Frame is a message. The last Release puts it back.
type Frame struct {
	refs    atomic.Int32
	Kind    int
	Payload []byte
}

var frames = sync.Pool{New: func() any { return new(Frame) }}

// New returns a frame with one owner, the caller.
func New(kind int) *Frame {
	f := frames.Get().(*Frame)
	f.Kind = kind
	f.Payload = f.Payload[:0]
	f.refs.Store(1)
	return f
}

// Retain adds an owner.
func (f *Frame) Retain() *Frame {
	f.refs.Add(1)
	return f
}

// Release takes one owner away.
func (f *Frame) Release() {
	if f.refs.Add(-1) == 0 {
		frames.Put(f)
	}
}
