// Package refframe sends one frame to many connections.
package refframe

import (
	"io"
	"sync"
	"sync/atomic"
)

// Frame is shared by its receivers.
type Frame struct {
	refs atomic.Int32
	data []byte
}

var frames = sync.Pool{New: func() any { return new(Frame) }}

// New returns a frame with one reference.
func New(p []byte) *Frame {
	f := frames.Get().(*Frame)
	f.data = append(f.data[:0], p...)
	f.refs.Store(1)
	return f
}

// Retain adds a reference.
func (f *Frame) Retain() *Frame { f.refs.Add(1); return f }

// Release gives a reference up.
func (f *Frame) Release() {
	if f.refs.Add(-1) == 0 {
		frames.Put(f)
	}
}

// Broadcast sends p to all.
func Broadcast(p []byte, conns []chan *Frame) {
	f := New(p)
	for _, c := range conns {
		select {
		case c <- f.Retain():
		default:
			f.Release()
		}
	}
	f.Release()
}

// Pump writes the frames of c.
func Pump(w io.Writer, c <-chan *Frame) error {
	for f := range c {
		_, err := w.Write(f.data)
		f.Release()
		if err != nil {
			return err
		}
	}
	return nil
}
