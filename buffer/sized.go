package buffer

import (
	"fmt"
	"sync"
)

// Sized hands out buffers of one length. It knows their class and so saves the
// look-up of Pool.Get; it clears by default (ZeroDefault). It is safe for
// concurrent use and may be kept for as long as its Pool; all Sized of one class
// of a Pool share memory. The methods of the zero value panic, and all but Get say what is to be done.
type Sized struct {
	// front is where Get looks: the class's own sync.Pool, or an empty one whose
	// New does what a careful Get has to do. So Get is one call of a sync.Pool.
	front *sync.Pool
	n     int
	class *class
}

// Sized returns what hands out buffers of length n. It is made once, not for each
// Get: this call allocates and takes a mutex. It panics if n is negative
// or above Options.Max, where nothing would be kept.
func (p *Pool) Sized(n int) *Sized {
	p.plain.must()
	if n < 0 || n > p.plain.max {
		panic(fmt.Sprintf("%sSized(%d): it must be from 0 to Options.Max, which is %d", p.prefix(), n, p.plain.max))
	}
	s := p.sized()
	c := s.class(s.of(n))
	front := c.headers()
	if c.carefulGet {
		front = &sync.Pool{New: func() any { return c.get(c.take(), n) }}
	}
	return &Sized{front: front, n: n, class: c}
}

// notSized is the panic of a zero Sized.
const notSized = "buffer: use of a Sized that was not made by Pool.Sized"

// Get returns a buffer as [Pool.Get] does. Of a zero Sized it panics with "nil Pool",
// the words of sync.Pool; the checked build says more. With a question of its own the
// compiler would not inline it.
func (s *Sized) Get() (b *Buffer) {
	if checked && s.front == nil {
		panic(notSized)
	}
	b = s.front.Get().(*Buffer)
	b.state, b.mark, b.b = owned, 0, b.b[:s.n]
	return
}

// Bytes returns a slice as [Pool.Bytes] does, of the length of s. The caller owns
// it until Free.
func (s *Sized) Bytes() []byte {
	c := s.class
	if c == nil {
		panic(notSized)
	}
	x := c.takeBare()
	if x == nil || c.carefulGet {
		return c.getBare(x, s.n)
	}
	return slice(x, s.n, c.size)
}

// Free gives up b, which Bytes of s returned, and reports whether the pool took it,
// as [Pool.Free] does. It takes the memory of its own class only. Since it is not
// known what was written, all of the capacity is cleared, if the pool clears on
// the way in.
//
//poolproof:owns b
func (s *Sized) Free(b []byte) bool {
	c := s.class
	switch {
	case c == nil:
		panic(notSized)
	case !c.fits(b):
		c.set.pool.refuse("Free", b)
		return false
	}
	c.freeBare("Free", b)
	return true
}

// GetPtr returns a slice for code that passes *[]byte around, as it does with a
// bare sync.Pool. The slice has the length of the Sized, and the capacity of its
// class: an append within it does not leave the pooled memory. The caller owns
// the slice and the memory until PutPtr.
func (s *Sized) GetPtr() *[]byte {
	c := s.class
	if c == nil {
		panic(notSized)
	}
	x := c.takeSlice()
	if x == nil || c.carefulGet {
		return c.getSlice(x, s.n)
	}
	*x = (*x)[:s.n]
	return x
}

// PutPtr gives x up. Its length does not matter, the next GetPtr restores it.
// Its capacity must be what GetPtr returned: a nil x, a slice that was cut at its
// start or its capacity, or one that another allocation has replaced is refused,
// left to the garbage collector and counted (Stats.Foreign). There is nothing in
// a slice to tell whether it has been put already, or whether memory of exactly
// this capacity came from this pool: only the checked build panics.
//
// Since it is not known what was written, all of the capacity is cleared, if the
// pool clears on the way in.
//
//poolproof:owns x
func (s *Sized) PutPtr(x *[]byte) {
	if s.class == nil {
		panic(notSized)
	}
	if x == nil {
		s.class.set.pool.refuse("PutPtr", nil)
		return
	}
	s.class.putSlice("PutPtr", x)
}
