package a

import "sync"

// Two types that depend on a type parameter.

type wares[T any] struct{ pool sync.Pool }

func newWares[T any]() *wares[T] {
	return &wares[T]{pool: sync.Pool{New: func() any {
		var zero T
		return zero // want `New makes T, but Get is asserted to \*T`
	}}}
}

func (v *wares[T]) Get() *T  { return v.pool.Get().(*T) }
func (v *wares[T]) Put(x *T) { v.pool.Put(x) }

type slots[T any] struct{ pool sync.Pool }

func newSlots[T any]() *slots[T] {
	return &slots[T]{pool: sync.Pool{New: func() any { return new(T) }}}
}

func (s *slots[T]) Get() *T { return s.pool.Get().(*T) }
func (s *slots[T]) Put(x T) { s.pool.Put(x) } // want `T is put, but Get is asserted to \*T`

// U may be *T.
type pairs[T, U any] struct{ pool sync.Pool }

func (p *pairs[T, U]) Get() *T { return p.pool.Get().(*T) }
func (p *pairs[T, U]) Put(x U) { p.pool.Put(x) }

// T may be *int.
type anything[T any] struct{ pool sync.Pool }

func (p *anything[T]) Get() T        { return p.pool.Get().(T) }
func (p *anything[T]) PutInt(x *int) { p.pool.Put(x) }
