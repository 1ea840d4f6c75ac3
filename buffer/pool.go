package buffer

import (
	"fmt"
	"io"
	"iter"
	"sync"
	"sync/atomic"

	"github.com/poolproof/poolproof/internal/ledger"
	"github.com/poolproof/poolproof/internal/registry"
	"github.com/poolproof/poolproof/internal/reserve"
	"github.com/poolproof/poolproof/pool"
)

// Pool keeps buffers of many sizes for reuse. It is made by [New], is safe for
// concurrent use and must not be copied; go vet reports a copy. The methods of
// the zero value panic and say so.
type Pool struct {
	plain set // Get, Append, Bytes
	learner

	options Options         // resolved
	budget  *reserve.Budget // of Options.Reserve; nil: no reserve
	foreign atomic.Uint64

	mu    sync.Mutex
	clean *set // what Sized uses: &plain, or a set that clears under ZeroDefault. Made at the first use.

	checks poolChecks // of the checked build
}

// pools is every pool that has a name.
var pools registry.List[Stats]

// New returns an empty pool that follows o. It panics, naming the field and the
// value, if o makes no sense.
func New(o Options) *Pool {
	p := &Pool{}
	p.options = o.resolve()
	index := &defaultIndex
	if o.Classes != nil || o.Max != 0 {
		made := makeIndex(p.options.Classes)
		index = &made
	}
	if o.Reserve > 0 {
		p.budget = reserve.NewBudget(o.Reserve)
	}
	zero := o.Zero
	if zero == ZeroDefault {
		zero = ZeroNone
	}
	p.plain.init(p, zero, *index)
	p.learner.init(&p.plain, o.Start)
	p.checks = beginChecks(p)
	if o.Stats == pool.Leaks {
		ledger.Watch()
	}
	if o.Name != "" {
		registry.Add(&pools, p, (*Pool).Stats)
	}
	return p
}

// Options returns what p follows: the Options of New, with what each zero stands
// for in its place: the classes, the largest of which is Max. The caller must not
// change Classes.
func (p *Pool) Options() Options {
	p.plain.must()
	return p.options
}

// All yields the statistics of each pool of the process that has a name and is
// still in use, in the order in which they were made.
func All() iter.Seq[Stats] { return pools.All }

// set is the classes of a pool that clear alike. A pool has one, or two under
// ZeroDefault.
type set struct {
	index
	bound uint // sizes from here on belong to no class: Options.Max and one; 0 in a zero Pool
	small uint // the least of bound and the end of index.fine
	max   int  // Options.Max
	zero  Zero // never ZeroDefault
	pool  *Pool

	// classes has one for each of Options.Classes, and a last one for what is
	// above Options.Max, which is never kept. Each is nil until its first use:
	// most pools use few. It is set once.
	classes []atomic.Pointer[class]
}

func (s *set) init(p *Pool, zero Zero, index index) {
	s.pool, s.max, s.bound, s.zero, s.index = p, p.options.Max, uint(p.options.Max)+1, zero, index
	s.small = min(s.bound, fineMax+1)
	s.classes = make([]atomic.Pointer[class], len(p.options.Classes)+1)
}

// class returns the class at position i. What each Get and Release does has the
// same two lines in place of this call, which the compiler does not inline.
func (s *set) class(i int) *class {
	if c := s.classes[i].Load(); c != nil {
		return c
	}
	return s.open(i)
}

// open is class at its first use.
//
//go:noinline
func (s *set) open(i int) *class {
	size := 0
	if sizes := s.pool.options.Classes; i < len(sizes) {
		size = sizes[i]
	}
	c := new(class)
	c.init(s, size)
	s.classes[i].CompareAndSwap(nil, c)
	return s.classes[i].Load() // c, or that of a call that was faster
}

// above returns the class of what is above Options.Max.
func (s *set) above() *class {
	s.must()
	return s.class(len(s.classes) - 1)
}

// get is Get for a buffer of this set.
func (s *set) get(n int) *Buffer {
	if uint(n) >= s.bound {
		return s.getAbove(n)
	}
	i := s.of(n)
	c := s.classes[i].Load()
	if c == nil {
		c = s.open(i)
	}
	b := c.take()
	if c.carefulGet {
		return c.get(b, n)
	}
	b.state = owned
	b.mark = 0
	b.b = b.b[:n]
	return b
}

// getAbove is get for an n that no class holds.
//
//go:noinline
func (s *set) getAbove(n int) *Buffer {
	above := s.above()
	s.pool.checkSize("Get", n)
	return above.get(nil, n)
}

// must panics if s is of a zero Pool.
func (s *set) must() {
	if s.pool == nil {
		panic("buffer: use of a Pool that was not made by New")
	}
}

// sized returns the set that Sized hands out from.
func (p *Pool) sized() *set {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.clean == nil {
		p.clean = &p.plain
		if p.options.Zero == ZeroDefault {
			p.clean = new(set)
			p.clean.init(p, ZeroUsed, p.plain.index)
		}
	}
	return p.clean
}

// sets returns the sets that have been used.
func (p *Pool) sets() []*set {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.clean == nil || p.clean == &p.plain {
		return []*set{&p.plain}
	}
	return []*set{&p.plain, p.clean}
}

// Get returns a buffer of length n that begins at a multiple of 64 bytes. The
// caller owns it until Release, CopyAndRelease, Take or Share. Its n bytes are what the
// last owner left, unless the pool clears (Options.Zero): they are for Bytes and
// Fill to write, and a Write before that panics. For content that is appended
// there is [Pool.Append]. A buffer above Options.Max is made, and not kept. Get
// panics if n is negative.
func (p *Pool) Get(n int) *Buffer { return p.plain.get(n) }

// Append returns a buffer of length 0 for content whose size is not known. It
// begins with the size that two in three of such buffers needed before, 4 KiB at
// first (Options.Start overrides), and grows as it is written to; see
// [Buffer.Grow]. It is owned as one of Get.
func (p *Pool) Append() *Buffer {
	s := &p.plain
	s.must()
	i := int(p.start.Load())
	c := s.classes[i].Load()
	if c == nil {
		c = s.open(i)
	}
	b := c.take()
	if c.carefulGet {
		b = c.get(b, 0)
		b.want = wantLength
	} else {
		b.b = b.b[:0]
		b.mark = 0
	}
	b.state = owned
	if p.learns {
		if b.turns%sampleEvery == 0 { // decided here, so that other releases know nothing of it
			b.state |= learning
			b.put = putLearning
		}
		b.turns++
	}
	return b
}

// copySize is the buffer of Copy: that of io.Copy.
const copySize = 32 << 10

// Copy copies from src to dst until the end of src or an error, as io.Copy does,
// with a buffer of the pool where io.Copy would make one. It returns the number
// of bytes copied and the first error.
func (p *Pool) Copy(dst io.Writer, src io.Reader) (int64, error) {
	_, writes := src.(io.WriterTo)
	_, reads := dst.(io.ReaderFrom)
	if writes || reads {
		return io.Copy(dst, src) // which needs no buffer then
	}
	b := p.Get(min(copySize, p.plain.max))
	done := false
	defer func() {
		if done {
			b.Release()
		} else {
			// src or dst panicked, or ended the goroutine. It may still hold the
			// bytes, so they must not get another owner.
			b.abandon()
		}
	}()
	n, err := io.CopyBuffer(dst, src, b.Bytes())
	done = true
	return n, err
}

// name returns how reports call the pool.
func (p *Pool) name() string {
	if p.options.Name == "" {
		return "buffer.Pool"
	}
	return p.options.Name
}

// prefix begins the text of a panic.
func (p *Pool) prefix() string {
	if p.options.Name == "" {
		return "buffer: "
	}
	return fmt.Sprintf("buffer: pool %q: ", p.options.Name)
}

// checkSize panics if n, which a caller of op asked for, is no size of a buffer.
func (p *Pool) checkSize(op string, n int) {
	switch {
	case n < 0:
		panic(fmt.Sprintf("%s%s(%d): the size is negative", p.prefix(), op, n))
	case n > largestSize:
		panic(fmt.Sprintf("%s%s(%d): the size is above %d bytes, the largest that a buffer can have", p.prefix(), op, n, largestSize))
	}
}
