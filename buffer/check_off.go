//go:build !poolproofdebug

package buffer

import "sync"

// The normal build keeps what is given up in a sync.Pool and checks nothing but
// the state of a header. check_on.go has the same names for the checked build.

const checked = false

type (
	checks      struct{}
	classChecks struct{}
	poolChecks  struct{}

	// receipt is what checkIn learns of memory that keepBare and keepSlice want
	// to know.
	receipt struct{}
)

// initChecks begins the checks of a new pool.
func (p *Pool) initChecks() {}

// Leaks returns one text for each Buffer, Shared and slice that is out, with the
// stack of the call that handed it out, in the order of these calls. Those that
// were collected while they were out stay listed. It is known in the checked
// build (-tags poolproofdebug) only, else nil.
func (p *Pool) Leaks() []string { return nil }

// take returns a buffer that waits in c, or nil.
func (c *class) take() *Buffer {
	b, _ := c.headers.Get().(*Buffer)
	return b
}

// keep lets b, which nobody owns, wait in c.
func (c *class) keep(b *Buffer) { c.headers.Put(b) }

// takeBare returns the start of memory that waits in c, or nil.
func (c *class) takeBare() *byte {
	x, _ := c.bare.Get().(*byte)
	return x
}

// keepBare lets the memory at x wait in c.
func (c *class) keepBare(x *byte, _ receipt) { c.bare.Put(x) }

// takeSlice returns a pointer to memory that waits in c, or nil.
func (c *class) takeSlice() *[]byte {
	x, _ := c.slices.Get().(*[]byte)
	return x
}

// keepSlice lets x and its memory wait in c.
func (c *class) keepSlice(x *[]byte, _ receipt) { c.slices.Put(x) }

// trimKept drops what waits in c and exceeds left, lowers left by what it keeps,
// and returns the bytes that it dropped.
func (c *class) trimKept(left *int64) (dropped int64) {
	dropped += trimForm(c, left, c.take, c.keep)
	dropped += trimForm(c, left, c.takeBare, func(x *byte) { c.bare.Put(x) })
	dropped += trimForm(c, left, c.takeSlice, func(x *[]byte) { c.slices.Put(x) })
	return dropped
}

// checkGet is told that b has got an owner.
func (b *Buffer) checkGet() {}

// checkPut is told that b has lost its owner, before anything is cleared.
func (b *Buffer) checkPut() {}

// checkShare is told that b's owners are its Shared from now on.
func (b *Buffer) checkShare() {}

// history returns the places where b was got and given up, for a panic.
func (b *Buffer) history() string { return "" }

// takeMemory returns the bytes in use with all of the memory, which leaves the
// pool.
func (b *Buffer) takeMemory() []byte { return b.b }

// reissue makes the last Shared's owner the owner of b.
func (b *Buffer) reissue() *Buffer {
	b.state = owned
	return b
}

// sharedHandles keeps the Shared that nobody owns, of all pools.
var sharedHandles sync.Pool

func takeShared() *Shared {
	if s, _ := sharedHandles.Get().(*Shared); s != nil {
		return s
	}
	return new(Shared)
}

func keepShared(s *Shared) { sharedHandles.Put(s) }

// checkGet is told that s has got an owner.
func (s *Shared) checkGet() {}

// checkPut is told that s is about to lose it.
func (s *Shared) checkPut() {}

// history is Buffer.history.
func (s *Shared) history() string { return "" }

// checkOut is told that the memory at x has got an owner.
func (c *class) checkOut(x *byte) {}

// checkIn is told that op gives back the memory at x.
func (c *class) checkIn(op string, x *byte) receipt { return receipt{} }

// checkForeign is told that op was given b and refused it.
func (p *Pool) checkForeign(op string, b []byte) {}

// guardedMemory returns memory outside the heap, in guard mode only, else nil.
func guardedMemory(size int) []byte { return nil }
