package pool

import "fmt"

// Local is a stack of objects that one goroutine keeps for itself, before a
// Pool that it shares with others: Get and Put then touch nothing that other
// goroutines use, and the garbage collector drops none of the objects. It is
// for a goroutine that lives long and uses objects often, such as the worker of
// a queue or the reader of a connection.
//
// A Local is made by Pool.Local. It must be used by one goroutine at a time and
// not be copied; go vet reports a copy. For one object at a time and without
// rules Get and Put are inlined into their callers and touch one variable.
//
// At the levels Uses and Leaks, in the checked build and under `poolproof test` a
// Local keeps nothing and passes each call on, so that statistics and checks are exact: then it
// costs what its pool costs.
type Local[T any] struct {
	noCopy noCopy

	// hot is the object that was put last, nil if it was got again: one
	// variable, so that Get and Put of one object after the other are inlined.
	hot *T
	// open is whether Put may fill hot as it is. It may not if the pool has
	// rules for Put, which the slow path applies, or if nothing is kept here.
	open bool
	// below are the objects under hot, at most one less than the Local keeps.
	below []*T
	pool  *Pool[T] // nil after Close
	keeps int      // how many objects: 0 passes each call on
}

// Local returns an empty Local that keeps up to n objects of p. The caller
// should call its Close when it is done; without, the objects that it keeps are
// left to the garbage collector. It panics if n is negative.
func (p *Pool[T]) Local(n int) *Local[T] {
	if n < 0 {
		panic(fmt.Sprintf("pool: Local of %d objects; it must be 0 or more", n))
	}
	p.must()
	l := &Local[T]{pool: p}
	s := p.more
	if n == 0 || s.uses != nil || s.seesAll() || marked {
		return l
	}
	l.keeps = n
	l.below = make([]*T, 0, min(n-1, 1024)) // more are made room for when they come
	r := &s.rules
	l.open = r.Reset == nil && r.Keep == nil && r.MaxSize == 0 && s.strikes == nil
	return l
}

// Get returns the object that was put last, or one of the pool. The caller owns
// it until it is put. It panics after Close.
func (l *Local[T]) Get() *T {
	if x := l.hot; x != nil {
		l.hot = nil
		return x
	}
	return l.slowGet()
}

// Put gives x up: to this Local if it has room, else to its pool. The rules of
// the pool apply, and x may be any object that the pool's Put takes. A nil x is
// ignored. It panics after Close.
//
//poolproof:owns x
func (l *Local[T]) Put(x *T) {
	if l.open && l.hot == nil {
		l.hot = x
		return
	}
	l.slowPut(x)
}

// slowGet is Get when hot is nil.
func (l *Local[T]) slowGet() *T {
	if l.pool == nil {
		panic("pool: Get of a Local that was closed, or not made by Pool.Local")
	}
	last := len(l.below) - 1
	if last < 0 {
		return l.pool.Get()
	}
	x := l.below[last]
	l.below[last] = nil // keep nothing that was given out
	l.below = l.below[:last]
	return x
}

// slowPut is Put when hot is not nil or there are rules.
func (l *Local[T]) slowPut(x *T) {
	switch {
	case l.pool == nil:
		panic("pool: Put to a Local that was closed, or not made by Pool.Local")
	case x == nil:
	case l.len() == l.keeps:
		l.pool.Put(x)
	case l.pool.more.accept(x):
		if l.hot != nil {
			l.below = append(l.below, l.hot)
		}
		l.hot = x
	}
}

// len returns the number of objects that l keeps now.
func (l *Local[T]) len() int {
	if l.hot == nil {
		return len(l.below)
	}
	return len(l.below) + 1
}

// Close gives all objects to the pool. It may be called more than once.
func (l *Local[T]) Close() {
	if l.pool == nil {
		return
	}
	if l.hot != nil {
		l.below = append(l.below, l.hot)
	}
	for _, x := range l.below {
		l.pool.more.store(&l.pool.objects, x) // accepted when it was put
	}
	l.hot, l.open, l.below, l.pool = nil, false, nil, nil
}

// noCopy has the methods by which go vet knows what must not be copied.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}
