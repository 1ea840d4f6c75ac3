package hotswap

import (
	"github.com/poolproof/poolproof/hotswap/internal/atom"
	"github.com/poolproof/poolproof/hotswap/internal/slots"
)

// Reader reads the current value again and again. It keeps its hold between two
// Loads, and as long as nothing is published a Load is one atomic load and a
// comparison. The price is that the value that it has seen last stays in use
// until its next Load or Release: a worker that waits for long should Release
// first. It is for goroutines that live long; one for each request costs what an
// Acquire does.
//
// A Reader is for one goroutine and must not be copied. It is made by
// Container.Reader: Load of a zero one is a nil dereference. A test for that would
// be as long as all that a Load does.
type Reader[T any] struct {
	container *Container[T]
	current   *atom.Pointer[slots.Slot] // the container's
	value     *T
	slot      *slots.Slot // nil: holds nothing
	count     *slots.Place
	gen       genWord
}

// Reader returns a reader that holds nothing yet.
func (c *Container[T]) Reader() Reader[T] {
	c.cell.Check()
	return Reader[T]{container: c, current: c.cell.Current()}
}

// Load returns the current value, nil if the container is empty or closed. It is
// valid until the next Load or Release, and must not be written.
//
// A slot that is held cannot be published again, so the same slot is the same
// value.
//
//poolproof:owns r.value
//poolproof:readonly
func (r *Reader[T]) Load() *T {
	if r.current.Load() == r.slot {
		return r.value
	}
	return r.reload()
}

// reload exchanges the hold for one on the current value.
func (r *Reader[T]) reload() *T {
	r.Release()
	value, s, n, gen := r.container.cell.Enter()
	if traced(gen) {
		tokenOf(n).rename(kindReader)
	}
	r.value, r.slot, r.count, r.gen.n = (*T)(value), s, n, gen
	return r.value
}

// Release ends the hold of r, which may be used again. Without a hold it does
// nothing.
//
//poolproof:owns r.value
func (r *Reader[T]) Release() {
	s, n, gen := r.slot, r.count, r.gen.n
	if s == nil {
		return
	}
	r.value, r.slot, r.count = nil, nil, nil
	s.Leave(n, gen)
}
