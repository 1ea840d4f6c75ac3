//go:build !poolproofdebug

package buffer

import (
	"sync"

	"github.com/poolproof/poolproof/internal/drain"
)

// The normal build keeps what is given up in a sync.Pool and checks nothing but
// the state of a header. check_on.go has the same names for the checked build.

const checked = false

type (
	// waiting is the memory of a class that has no owner.
	waiting struct {
		headers sync.Pool // of *Buffer whose capacity is the size of the class
		bare    sync.Pool // of *byte: where the memory begins
		slices  sync.Pool // of *[]byte, as headers
	}

	// checks records the end of a Buffer or a Shared.
	checks struct{}

	poolChecks struct{}

	// receipt tells keepBare and keepSlice what checkIn learned of the memory
	// that they keep.
	receipt struct{}
)

// beginChecks begins the checks of a new pool.
func beginChecks(*Pool) poolChecks { return poolChecks{} }

// Leaks returns one text for each Buffer, Shared and slice that is out, with the
// stack of the call that handed it out, in the order of these calls. Those that
// were collected while they were out stay listed. It is known in the checked
// build (-tags poolproofdebug) only, else nil.
func (p *Pool) Leaks() []string { return nil }

// begin makes w the waiting memory of c.
func (w *waiting) begin(c *class) {
	w.headers.New = func() any {
		if drain.Asked() {
			return nil
		}
		return c.miss(0)
	}
}

// headers returns the sync.Pool that take takes from.
func (c *class) headers() *sync.Pool { return &c.waiting.headers }

// take returns a buffer that waits in c, or one that is made.
//
//poolproof:ignore PV018 New returns nil to drain.Take alone
func (c *class) take() *Buffer { return c.waiting.headers.Get().(*Buffer) }

// takeWaiting returns a buffer that waits in c, or nil.
func (c *class) takeWaiting() *Buffer {
	b, _ := drain.Take(&c.waiting.headers).(*Buffer)
	return b
}

// keep lets b, which has no owner, wait in c.
func (c *class) keep(b *Buffer) { c.waiting.headers.Put(b) }

// takeBare returns the start of memory that waits in c, or nil.
func (c *class) takeBare() *byte {
	x, _ := c.waiting.bare.Get().(*byte)
	return x
}

// keepBare lets the memory at x wait in c.
func (c *class) keepBare(x *byte, _ receipt) { c.waiting.bare.Put(x) }

// takeSlice returns a pointer to memory that waits in c, or nil.
func (c *class) takeSlice() *[]byte {
	x, _ := c.waiting.slices.Get().(*[]byte)
	return x
}

// keepSlice lets x and its memory wait in c.
func (c *class) keepSlice(x *[]byte, _ receipt) { c.waiting.slices.Put(x) }

// trimKept drops what waits in c and exceeds left, lowers left by what it keeps,
// and returns the bytes that it dropped.
func (c *class) trimKept(left *int64) (dropped int64) {
	dropped += trimForm(c, left, c.takeWaiting, c.keep)
	dropped += trimForm(c, left, c.takeBare, func(x *byte) { c.waiting.bare.Put(x) })
	dropped += trimForm(c, left, c.takeSlice, func(x *[]byte) { c.waiting.slices.Put(x) })
	return dropped
}

// trimForm takes everything that take finds, keeps what fits into left, which it
// lowers, and returns the bytes that it dropped. All memory of a class was missed
// once, which bounds the number of rounds while others release what they have
// made meanwhile.
func trimForm[T any](c *class, left *int64, take func() *T, keep func(*T)) (dropped int64) {
	size := int64(c.size)
	var kept []*T
	for range c.tally.misses.Load() {
		x := take()
		if x == nil {
			break
		}
		if *left >= size {
			*left -= size
			kept = append(kept, x)
		} else {
			dropped += size
		}
	}
	for _, x := range kept {
		keep(x)
	}
	return dropped
}

// checkGet is told that b has got an owner.
func (b *Buffer) checkGet() {}

// checkPut is told that b has lost its owner, before anything is cleared.
func (b *Buffer) checkPut() {}

// checkCopy panics if b is a copy of a Buffer, which op was called of.
func (b *Buffer) checkCopy(op string) {}

// checkFill is told that p, of which the first mark bytes may have been written, is
// handed to the function of Fill.
func (b *Buffer) checkFill(p []byte, mark int) {}

// checkFilled panics if that function has not written what it says.
func (b *Buffer) checkFilled(p []byte, mark, n int) {}

// checkShare is told that b's owners are its Shared from now on.
func (b *Buffer) checkShare() {}

// history returns the places where an object was got and given up, for a panic.
func (*checks) history() string { return "" }

// takeMemory returns the bytes in use with all of the memory, which leaves the
// pool.
func (b *Buffer) takeMemory() []byte { return b.b }

// reissue makes the last Shared's owner the owner of b.
func (b *Buffer) reissue() *Buffer {
	b.state = owned
	return b
}

// sharedHandles keeps the Shared without an owner, of all pools.
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

// checkRead panics if the bytes of s were written since they were shared.
func (s *Shared) checkRead(op string) {}

// checkOut is told that the memory at x has got an owner.
func (c *class) checkOut(x *byte) {}

// checkIn is told that op gives back the memory at x.
func (c *class) checkIn(op string, x *byte) receipt { return receipt{} }

// checkForeign is told that op was given b and refused it.
func (p *Pool) checkForeign(op string, b []byte) {}

// guardedMemory returns memory outside the heap, in guard mode only, else nil.
func guardedMemory(size int) []byte { return nil }
