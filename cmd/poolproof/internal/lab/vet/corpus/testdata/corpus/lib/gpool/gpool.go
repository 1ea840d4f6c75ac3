// Package gpool is a typed pool.
package gpool

import "sync"

// Pool holds objects of type T.
type Pool[T any] struct {
	inner sync.Pool
	reset func(*T)
}

// New returns a pool whose objects are cleaned by reset.
func New[T any](reset func(*T)) *Pool[T] {
	return &Pool[T]{
		inner: sync.Pool{New: func() any { return new(T) }},
		reset: reset,
	}
}

// Get returns an object that is the caller's until Put.
func (p *Pool[T]) Get() *T { return p.inner.Get().(*T) }

// Put takes x back.
func (p *Pool[T]) Put(x *T) {
	if p.reset != nil {
		p.reset(x)
	}
	p.inner.Put(x)
}
