// Package pools holds pools in other clothes: generic, wrapped, without New,
// in a field, in a pooled object.
package pools

import "sync"

// Pool is a typed pool.
type Pool[T any] struct {
	pool  sync.Pool
	Reset func(*T)
}

// Get returns an object.
func (p *Pool[T]) Get() *T {
	if x, ok := p.pool.Get().(*T); ok {
		return x
	}
	return new(T)
}

// Put cleans an object and gives it back.
func (p *Pool[T]) Put(x *T) {
	if p.Reset != nil {
		p.Reset(x)
	}
	p.pool.Put(x)
}

// Releaser is the interface through which users see a pooled object.
type Releaser interface {
	Len() int
	Release()
}

type message struct {
	from   *Mailbox
	length int
	body   [48]byte
}

func (m *message) Len() int { return m.length }

func (m *message) Release() { m.from.free.Put(m) }

// Mailbox has a pool of its own.
type Mailbox struct{ free sync.Pool }

// Message returns a message that has to be released.
func (b *Mailbox) Message(text string) Releaser {
	m, _ := b.free.Get().(*message)
	if m == nil {
		m = &message{from: b}
	}
	m.length = copy(m.body[:], text)
	return m
}

// Classes is a pool for each power of two.
type Classes [16]sync.Pool

// Get returns n bytes.
func (c *Classes) Get(n int) *[]byte {
	class := 0
	for 1<<class < n {
		class++
	}
	p, _ := c[class].Get().(*[]byte)
	if p == nil {
		b := make([]byte, 1<<class)
		p = &b
	}
	*p = (*p)[:n]
	return p
}

// Put takes back what Get returned.
func (c *Classes) Put(p *[]byte) {
	class := 0
	for 1<<class < cap(*p) {
		class++
	}
	c[class].Put(p)
}

// Session is pooled, and has a pool inside.
type Session struct {
	frames sync.Pool
	n      int
}

// Frame is pooled in its session.
type Frame struct{ size, flags int }
