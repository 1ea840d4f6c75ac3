package buffer

import (
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/poolproof/poolproof/internal/ledger"
	"github.com/poolproof/poolproof/internal/reserve"
	"github.com/poolproof/poolproof/mark"
	"github.com/poolproof/poolproof/pool"
)

// class keeps a pool's memory of one size. It waits in one of three forms,
// by the kind of call that gave it back: with its header, bare, or under a
// pointer to a slice. Each of the three is one pointer, so that neither Get nor
// Release allocates or needs a second pool for the header.
type class struct {
	waiting waiting

	size int // 0 in the class of what is above Options.Max

	// carefulGet and carefulPut are set if a Get or a Release has more to do than
	// to take and to put: clear, count, watch for losses, fill the reserve,
	// check. Release alone knows how to clear what was used.
	carefulGet, carefulPut bool
	// carefulFree is carefulPut, or that bare memory is cleared when it comes back.
	carefulFree bool

	// door is Buffer.put of this class's buffers, and front where it puts them.
	door  func(front *sync.Pool, b any)
	front *sync.Pool

	zero  Zero // never ZeroDefault
	set   *set
	tally *tally

	headersMade atomic.Uint32

	spareHeaders spare[Buffer]
	spareBare    spare[byte]
	spareSlices  spare[[]byte]
}

// tally holds the counts of a class. It is apart from the class so that a
// ticket that outlives the pool does not keep the pool.
type tally struct {
	pool string // the name that losses are reported by

	misses      atomic.Uint64 // memory made
	fromReserve atomic.Uint64
	dropped     atomic.Uint64 // given back and above Options.Max
	abandoned   atomic.Uint64 // left where it was, because Copy did not return

	// At level Uses and above.
	gets, asked, handed atomic.Uint64

	// At level Leaks.
	lost         atomic.Uint64
	out, outSize atomic.Int64
}

// ticket is the side word of a header at level Leaks. The header's cleanup gets
// it, so it must not refer to the header, which would then never be collected.
type ticket struct {
	owed atomic.Pointer[tally] // the class of the header's memory while it has an owner, else nil
	size atomic.Int64          // of that memory
}

// lost is the cleanup of a header. It runs when nothing refers to the header
// any more: neither an owner nor a pool.
func lost(t *ticket) {
	if c := t.owed.Load(); c != nil {
		c.lost.Add(1)
		c.out.Add(-1)
		c.outSize.Add(-t.size.Load())
		if !checked { // whose book counts it
			ledger.CountLoss(c.pool)
		}
	}
}

// init makes c a class of s: for memory of that size or, if that is 0, for what is
// above Options.Max.
func (c *class) init(s *set, size int) {
	zero := s.zero
	c.size, c.zero, c.set, c.tally = size, zero, s, &tally{pool: s.pool.name()}
	o := &s.pool.options
	c.carefulGet = checked || marked || size == 0 || zero == ZeroGet || o.Stats > pool.Misses
	c.carefulPut = checked || marked || size == 0 || zero == ZeroFull || o.Reserve > 0 || o.Stats > pool.Misses
	c.carefulFree = c.carefulPut || zero >= ZeroUsed
	c.waiting.begin(c)
	c.front = c.headers()
	switch {
	case c.carefulPut:
		c.door = putCareful
	case zero == ZeroUsed:
		c.door = putUsed
	default:
		c.door = (*sync.Pool).Put
	}
}

// get makes b, which take returned, or another if b is nil, a buffer of length n
// that the caller owns.
//
//go:noinline
func (c *class) get(b *Buffer, n int) *Buffer {
	if b == nil {
		b = c.miss(n)
	}
	fresh := b.state == made
	if !fresh {
		c.markGet(unsafe.SliceData(b.b))
	}
	b.state = owned
	b.mark = 0
	b.b = b.b[:n]
	if !c.carefulGet {
		return b
	}
	if c.zero == ZeroGet && !fresh {
		clear(b.b)
	}
	switch c.set.pool.options.Stats {
	case pool.Uses:
		b.want = n
		b.gets++
		if b.early < countEarly || b.gets == flushEvery {
			b.flush()
		}
	case pool.Leaks:
		b.want = n
		c.tally.gets.Add(1)
		c.tally.out.Add(1)
		c.tally.outSize.Add(int64(cap(b.b)))
		b.ticket.size.Store(int64(cap(b.b)))
		b.ticket.owed.Store(c.tally)
	}
	b.checkGet()
	return b
}

// miss returns a buffer that is in no sync.Pool: from the reserve, or a new one.
func (c *class) miss(n int) *Buffer {
	if b := c.spareHeaders.pop(c); b != nil {
		return b
	}
	return c.newBuffer(n)
}

// newBuffer makes a header and memory for n bytes.
func (c *class) newBuffer(n int) *Buffer {
	c.tally.misses.Add(1)
	b := &Buffer{state: made}
	b.aim(c)
	if c.size == 0 {
		b.b = makeAligned(roundUp(n))
	} else {
		b.b = newMemory(c.size)
	}
	c.register(b)
	return b
}

// register gives a new header its turn to be sampled, and its ticket at level
// Leaks.
func (c *class) register(b *Buffer) {
	b.turns = uint8(c.headersMade.Add(1))
	if c.set.pool.options.Stats == pool.Leaks {
		b.ticket = new(ticket)
		runtime.AddCleanup(b, lost, b.ticket)
	}
}

// putUsed is put of a class that clears what was used, and no more.
func putUsed(front *sync.Pool, x any) {
	b := x.(*Buffer)
	clear(b.b[:b.mark])
	front.Put(b)
}

// putCareful is put of a class that has more to do.
func putCareful(_ *sync.Pool, x any) {
	b := x.(*Buffer)
	b.home.put(b)
}

// put takes b back from its owner, who has given it up: b's state says so.
func (c *class) put(b *Buffer) {
	if c.carefulPut {
		c.settle(b)
		if c.size == 0 {
			b.flush()
			if marked { // no Get returns it again, but to use it is the same mistake
				mark.Put(unsafe.Pointer(unsafe.SliceData(b.b)), uintptr(cap(b.b)))
			}
			b.b = nil
			c.tally.dropped.Add(1)
			return
		}
	}
	switch c.zero {
	case ZeroUsed:
		clear(b.b[:b.mark])
	case ZeroFull:
		clear(b.b[:cap(b.b)])
	}
	c.markPut(unsafe.SliceData(b.b))
	if !c.spareHeaders.push(b, c.size) {
		c.keep(b)
	}
}

// leave says that b and its memory leave the pool for good.
func (c *class) leave(b *Buffer) {
	if c.carefulPut {
		c.settle(b)
		b.flush()
	}
}

// settle ends what the pool knows of b's owner.
func (c *class) settle(b *Buffer) {
	b.checkPut()
	if b.home.set.pool.options.Stats > pool.Misses {
		b.account()
		if b.early < countEarly {
			b.early++
			b.flush()
		}
	}
	if b.ticket == nil {
		return
	}
	b.flush()
	b.ticket.owed.Store(nil)
	c.tally.out.Add(-1)
	c.tally.outSize.Add(-int64(cap(b.b)))
}

// newMemory returns memory for a class: size bytes that are zero and begin at a
// multiple of grain, which divides size.
func newMemory(size int) []byte {
	if m := guardedMemory(size); m != nil {
		return m
	}
	return makeAligned(size)
}

// makeAligned is newMemory for what no class keeps, always from the heap.
func makeAligned(size int) []byte {
	m := make([]byte, size)
	if past := address(m) % grain; past != 0 {
		// Not seen with Go's allocator, but possible with one that puts something
		// of its own in front, as the address sanitizer's does.
		m = make([]byte, size+grain)
		skip := int(-address(m) % grain)
		m = m[skip : skip+size : skip+size]
	}
	return m
}

// roundUp returns the multiple of grain that is not below n.
func roundUp(n int) int { return (n + grain - 1) / grain * grain }

// address returns where the memory of b begins.
func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }

// spare is the reserve of one form of a class's memory. It is made by the first
// miss, since most classes of most pools are never used.
type spare[T any] struct {
	stack atomic.Pointer[reserve.Stack[T]]
}

// pop returns an object of the reserve, or nil. It must be called for a miss of
// the sync.Pool in front, and for nothing else.
func (s *spare[T]) pop(c *class) *T {
	p := c.set.pool
	if checked || p.budget == nil || c.size == 0 {
		return nil
	}
	stack := s.stack.Load()
	if stack == nil {
		stack = reserve.New[T](reserve.Limits{Budget: p.budget})
		if !s.stack.CompareAndSwap(nil, stack) {
			stack = s.stack.Load()
		}
	}
	x, _ := stack.Pop()
	if x != nil {
		c.tally.fromReserve.Add(1)
	}
	return x
}

// push keeps x in the reserve, and reports whether it did.
func (s *spare[T]) push(x *T, size int) bool {
	stack := s.stack.Load()
	return stack != nil && stack.Wanted() && stack.Push(x, size)
}

// trim drops from the reserve until at most toBytes are kept, and returns the
// bytes that it dropped and those that are left.
func (s *spare[T]) trim(toBytes int64) (dropped, left int64) {
	stack := s.stack.Load()
	if stack == nil {
		return 0, 0
	}
	_, dropped = stack.Trim(toBytes)
	return dropped, stack.Bytes()
}

// addTo adds what the reserve holds to the statistics of its class.
func (s *spare[T]) addTo(c *ClassStats) {
	if stack := s.stack.Load(); stack != nil {
		c.Reserved += int64(stack.Len())
		c.ReservedBytes += stack.Bytes()
		c.Decayed += stack.Decayed()
	}
}
