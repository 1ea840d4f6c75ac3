package buffer

import (
	"unsafe"

	"github.com/poolproof/poolproof/pool"
)

// Memory without a header is for interfaces that pass plain slices. Between two
// uses it waits bare, as the pointer to its first byte, or, for interfaces that
// pass *[]byte, under the same pointer all its life. Nothing but its capacity
// and its alignment tells which class it belongs to when it comes back.

// Bytes returns a slice of length n that begins at a multiple of 64 bytes, for
// code that cannot hold a Buffer. Its capacity is the size of its class, which is
// how Free finds the class: so it must come back with the start and the capacity
// that it had. The caller owns it until Free. It is not counted as in use or lost
// (Stats). Bytes panics if n is negative.
func (p *Pool) Bytes(n int) []byte { return p.plain.bytes("Bytes", n) }

// bytes is Bytes, from this set.
func (s *set) bytes(op string, n int) []byte {
	var i int
	switch {
	case uint(n) < s.small: // as in s.of; most end here, with one comparison
		i = int(s.fine[(uint(n)+grain-1)/grain])
	case uint(n) < s.bound:
		i = s.of(n)
	default:
		return s.bytesAbove(op, n)
	}
	c := s.classes[i].Load()
	if c == nil {
		c = s.open(i)
	}
	x := c.takeBare()
	if x == nil || c.carefulGet {
		return c.getBare(x, n)
	}
	return slice(x, n, c.size)
}

// GetPtr is [Pool.Bytes] for code that passes *[]byte around, as it does with a bare
// sync.Pool: the pointer waits in the pool with its memory, so that neither this
// call nor PutPtr allocates. The caller owns both until PutPtr.
func (p *Pool) GetPtr(n int) *[]byte {
	s := &p.plain
	if uint(n) >= s.bound {
		b := s.bytesAbove("GetPtr", n)
		return &b
	}
	c := s.class(s.of(n))
	x := c.takeSlice()
	if x == nil || c.carefulGet {
		return c.getSlice(x, n)
	}
	*x = (*x)[:n]
	return x
}

// PutPtr gives x up, whatever its length is now. It refuses, counts and leaves to
// the garbage collector what [Pool.Free] does, and a nil x.
//
//poolproof:owns x
func (p *Pool) PutPtr(x *[]byte) {
	s := &p.plain
	s.must()
	switch {
	case x == nil:
		p.refuse("PutPtr", nil)
	case cap(*x) > s.max:
		s.freeAbove()
	default:
		s.class(s.of(cap(*x))).putSlice("PutPtr", x)
	}
}

//go:noinline
func (s *set) bytesAbove(op string, n int) []byte {
	c := s.above()
	s.pool.checkSize(op, n)
	c.tally.misses.Add(1)
	b := makeAligned(roundUp(n))
	c.countBare(n, cap(b))
	return b[:n]
}

// getBare makes x, which the class has kept, or new memory if x is nil, a slice
// of length n that the caller owns.
//
//go:noinline
func (c *class) getBare(x *byte, n int) []byte {
	if x == nil {
		if x = c.spareBare.pop(c); x != nil {
			c.markGet(x)
		}
	}
	if x == nil {
		c.tally.misses.Add(1)
		x = unsafe.SliceData(newMemory(c.size))
	} else if c.zero == ZeroGet {
		clear(unsafe.Slice(x, n))
	}
	c.countBare(n, c.size)
	c.checkOut(x)
	return unsafe.Slice(x, c.size)[:n]
}

// countBare counts a Get of n bytes that handed out size. There is no header to
// collect counts in.
func (c *class) countBare(n, size int) {
	if c.set.pool.options.Stats > pool.Misses {
		c.tally.gets.Add(1)
		c.tally.asked.Add(uint64(n))
		c.tally.handed.Add(uint64(size))
	}
}

// Free gives up b, which Bytes returned, and reports whether the pool took it.
// It takes memory whose capacity is exactly that of a class and that begins at a
// multiple of 64 bytes. It refuses, counts (Stats.Foreign) and leaves to the
// garbage collector everything else: nil, a slice that was cut at its start or
// its capacity, most slices that never were the pool's. What is above
// Options.Max is not kept either, and counted as dropped.
//
// A foreign slice, or a part of one of the pool's, that has by chance the
// capacity and the alignment of a class is taken; and there is nothing in a slice
// to tell that it has been freed already. Only the checked build panics.
//
//poolproof:owns b
func (p *Pool) Free(b []byte) bool { return p.plain.free("Free", b) }

// free is Free, to this set.
func (s *set) free(op string, b []byte) bool {
	size := cap(b)
	var i int
	switch {
	case uint(size) < s.small: // as in bytes
		i = int(s.fine[(uint(size)+grain-1)/grain])
	case uint(size) < s.bound:
		i = s.of(size)
	default:
		return s.freeAbove()
	}
	c := s.classes[i].Load()
	if c == nil {
		c = s.open(i)
	}
	if c.fits(b) {
		if c.carefulFree {
			c.freeBare(op, b)
		} else {
			c.keepBare(unsafe.SliceData(b), receipt{}) // as freeBare does, one call less
		}
		return true
	}
	s.pool.refuse(op, b)
	return false
}

// freeAbove is free of what no class holds.
//
//go:noinline
func (s *set) freeAbove() bool {
	s.above().tally.dropped.Add(1)
	return false
}

// fits reports whether b can be the whole memory of a buffer of c.
func (c *class) fits(b []byte) bool {
	return cap(b) == c.size && address(b)%grain == 0
}

// freeBare takes back b, which fits.
func (c *class) freeBare(op string, b []byte) {
	x := unsafe.SliceData(b)
	var r receipt
	if c.carefulPut {
		r = c.checkIn(op, x)
	}
	c.clearAll(b)
	if c.carefulPut && c.reserveBare(x) {
		return
	}
	c.keepBare(x, r)
}

// reserveBare keeps the memory at x in the reserve, and reports whether it did.
func (c *class) reserveBare(x *byte) bool {
	c.markPut(x) // before it waits, where others may take it
	if c.spareBare.push(x, c.size) {
		return true
	}
	c.markGet(x)
	return false
}

// reserveSlice is reserveBare for memory under a pointer to a slice.
func (c *class) reserveSlice(x *[]byte) bool {
	c.markPut(unsafe.SliceData(*x))
	if c.spareSlices.push(x, c.size) {
		return true
	}
	c.markGet(unsafe.SliceData(*x))
	return false
}

// clearAll clears b to its capacity if memory waits in c cleared.
func (c *class) clearAll(b []byte) {
	if c.zero >= ZeroUsed {
		clear(b[:cap(b)])
	}
}

// getSlice is getBare for memory under a pointer to a slice.
//
//go:noinline
func (c *class) getSlice(x *[]byte, n int) *[]byte {
	if x == nil {
		if x = c.spareSlices.pop(c); x != nil {
			c.markGet(unsafe.SliceData(*x))
		}
	}
	if x == nil {
		c.tally.misses.Add(1)
		m := newMemory(c.size)
		x = &m
	} else if c.zero == ZeroGet {
		clear((*x)[:n])
	}
	*x = (*x)[:n]
	c.countBare(n, c.size)
	c.checkOut(unsafe.SliceData(*x))
	return x
}

// putSlice takes back the memory that x points to, with x, if it is of this
// class.
func (c *class) putSlice(op string, x *[]byte) {
	if !c.fits(*x) {
		c.set.pool.refuse(op, *x)
		return
	}
	var r receipt
	if c.carefulPut {
		r = c.checkIn(op, unsafe.SliceData(*x))
	}
	c.clearAll(*x)
	if c.carefulPut && c.reserveSlice(x) {
		return
	}
	c.keepSlice(x, r)
}

// refuse counts b, which op cannot have handed out.
//
//go:noinline
func (p *Pool) refuse(op string, b []byte) {
	p.foreign.Add(1)
	p.checkForeign(op, b)
}

// slice is unsafe.Slice(x, c)[:n] without what that asks, for an n that was found
// to be at most c when the class was.
func slice(x *byte, n, c int) []byte {
	return *(*[]byte)(unsafe.Pointer(&struct {
		x    *byte
		n, c int
	}{x, n, c}))
}
