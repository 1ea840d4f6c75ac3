// Package genpool is a sync.Pool with a type and a reset.
package genpool

import (
	"bytes"
	"sync"
)

// Resetter can be used again after Reset.
type Resetter[T any] interface {
	*T
	Reset()
}

// Pool keeps objects of one type.
type Pool[T any, P Resetter[T]] struct{ p sync.Pool }

// Get returns a clean object.
func (p *Pool[T, P]) Get() P {
	if x, ok := p.p.Get().(P); ok {
		return x
	}
	return P(new(T))
}

// Put resets and keeps x.
func (p *Pool[T, P]) Put(x P) { x.Reset(); p.p.Put(x) }

// With calls f with an object.
func (p *Pool[T, P]) With(f func(P) error) error {
	x := p.Get()
	defer p.Put(x)
	return f(x)
}

var buffers Pool[bytes.Buffer, *bytes.Buffer]

// Quote returns s in quotes.
func Quote(s string) (out string) {
	buffers.With(func(b *bytes.Buffer) error {
		b.WriteByte('"')
		b.WriteString(s)
		b.WriteByte('"')
		out = b.String()
		return nil
	})
	return out
}
