// Package poolswap is the interface of github.com/keilerkonzept/poolswap on the
// protocol of package hotswap: code that was written for that package moves by
// one line of its imports.
//
//	type cache struct {
//		poolswap.Ref
//		entries map[string]string
//	}
//
// What differs:
//
//   - Readers are counted in shards and take no lock, so they do not wait for
//     each other's cache lines. Release is told nothing but the object, and must
//     look at all shards when that was replaced; package hotswap, whose Release
//     knows where it was counted, does less.
//   - Free objects are kept across garbage collections, one for each processor.
//     More are dropped at the next Update.
//   - An object that was acquired and never released is never collected once it
//     was replaced. One that Get returned and its caller dropped is.
//   - Misuse that silently resets the current object there panics here, where it
//     can be known: Update with an object that is current in this or another
//     container, or free, and Release of one that is free or unknown. A Release
//     too many of an object that is current does not reset it, and keeps it from
//     being used again, if no reader holds it. If one does, it ends that hold,
//     and the object may be used again under its reader, as it may there.
//   - The caller of Update must own the object, by Get or because no pool knows
//     it. A hold that Acquire gave cannot be made current again.
package poolswap

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/poolproof/poolproof/hotswap/internal/slots"
)

// Ref must be embedded in T. It needs no padding: the counts are elsewhere.
type Ref struct {
	slot *slots.Slot // where the object lives; nil: no pool knows it
	own  atomic.Bool // it is a caller's, by Get
}

// RefNoPadding is Ref.
type RefNoPadding = Ref

func (r *Ref) ref() *Ref { return r }

// DebugPeekRef returns the number of references to the object: one for its owner
// or for being current, and one for each reader. It is for tests; while readers
// come and go it may be off.
func (r *Ref) DebugPeekRef() int64 {
	if r.slot == nil {
		return 0
	}
	if r.own.Load() {
		return 1
	}
	switch r.slot.Word().State() {
	case slots.Live:
		return 1 + r.slot.SumAny()
	case slots.Retired:
		return r.slot.SumAny()
	}
	return 0
}

// Referenceable is implemented by types that embed Ref.
type Referenceable interface{ ref() *Ref }

// PtrRef is a pointer to a T that embeds Ref.
type PtrRef[T any] interface {
	*T
	Referenceable
}

// Pool makes objects and uses them again. It must be made by NewPool, is safe for
// concurrent use, and must not be copied: a nil, zero or copied Pool panics and
// says so.
type Pool[T any, PT PtrRef[T]] struct {
	// Reset is called in the Release that ends the last reference, and returns
	// whether the object is fit for another use. It may be changed while no goroutine
	// uses the pool. If it panics, so does the Release, and the object is dropped.
	// Nil: each object is fit for another use as it is.
	Reset func(PT) bool

	factory func() PT
	table   *slots.Table
	keep    int
}

// check panics if p is nil, zero or a copy, whose Reset would not be the one that
// runs.
func (p *Pool[T, PT]) check() {
	switch {
	case p == nil || p.table == nil:
		panic("poolswap: use of a Pool that was not made by NewPool")
	case p.table.Owner != unsafe.Pointer(p):
		panic("poolswap: use of a copied Pool; use a pointer to it")
	}
}

// NewPool returns a pool whose objects factory makes and resetter cleans. A nil
// factory is for pools whose Get is not called: all objects come by Update.
func NewPool[T any, PT PtrRef[T]](factory func() PT, resetter func(PT) bool) *Pool[T, PT] {
	p := &Pool[T, PT]{Reset: resetter, factory: factory, keep: runtime.GOMAXPROCS(0)}
	p.table = slots.NewAnyShard(slots.Shards(0), 0)
	p.table.Owner = unsafe.Pointer(p)
	p.table.Reclaimed = func(s *slots.Slot) { p.reset(s, PT(s.Value)) }
	return p
}

// reset puts x into s, which is Owned, if Reset says that it is fit for use, and
// else forgets it.
func (p *Pool[T, PT]) reset(s *slots.Slot, x PT) {
	s.Value = nil
	fit := false
	defer func() {
		if !fit {
			x.ref().slot = nil
		}
	}()
	if fit = p.Reset == nil || p.Reset(x); fit {
		s.Value = unsafe.Pointer(x)
	}
}

// Get returns an object with one reference, which is the caller's: to be given
// to Update, or to Release.
func (p *Pool[T, PT]) Get() PT {
	p.check()
	s := p.table.Claim()
	x := PT(s.Value)
	s.Value = nil // if the caller forgets the object, it can be collected
	if x == nil {
		if x = p.make(s); x == nil {
			panic("poolswap: the factory returned nil")
		}
	}
	r := x.ref()
	r.slot = s
	r.own.Store(true)
	return x
}

// make calls the factory for s, which is Owned, and Empty again if that fails.
func (p *Pool[T, PT]) make(s *slots.Slot) (x PT) {
	defer func() {
		if x == nil {
			s.Give(slots.Empty)
		}
	}()
	if p.factory == nil {
		panic("poolswap: Get of a Pool that was made without a factory, and no object is free")
	}
	return p.factory()
}

// Release ends one reference to x; the last one resets x and makes it free. A
// nil x is ignored.
//
//poolproof:owns x
func (p *Pool[T, PT]) Release(x PT) {
	if x == nil {
		return
	}
	r := x.ref()
	s := r.slot
	if s == nil {
		panic("poolswap: Release of an object that no pool knows, or that was released before and dropped")
	}
	if r.own.Load() && r.own.CompareAndSwap(true, false) {
		defer func() { s.Give(s.Idle()) }()
		p.reset(s, x)
		return
	}
	if state := s.Word().State(); state != slots.Live && state != slots.Retired || PT(s.Value) != x {
		panic("poolswap: Release of an object that was released more often than acquired")
	}
	s.LeaveAny()
}

// adopt makes x, which is the caller's, known to the pool, if it is not.
func (p *Pool[T, PT]) adopt(x PT) {
	if r := x.ref(); r.slot == nil {
		r.slot = p.table.ClaimEmpty()
		r.own.Store(true)
	}
}

// Container holds the current object. It must be made by NewContainer or
// NewEmptyContainer, is safe for concurrent use, and must not be copied: a zero or
// copied Container panics and says so.
type Container[T any, PT PtrRef[T]] struct {
	cell slots.Cell
	pool *Pool[T, PT]
}

// NewEmptyContainer returns a container without an object. It panics if pool was
// not made by NewPool.
func NewEmptyContainer[T any, PT PtrRef[T]](pool *Pool[T, PT]) *Container[T, PT] {
	pool.check()
	c := &Container[T, PT]{pool: pool}
	c.cell.Init(pool.table)
	return c
}

// NewContainer returns a container whose current object is init, which need not
// be of the pool but must be the caller's. Nil: none.
func NewContainer[T any, PT PtrRef[T]](pool *Pool[T, PT], init PT) *Container[T, PT] {
	c := NewEmptyContainer(pool)
	c.Update(init)
	return c
}

// Update makes x current, which must be the caller's and need not be of the
// pool, and takes its reference. Nil empties the container. It panics if x is
// current, read or free.
//
//poolproof:owns x
func (c *Container[T, PT]) Update(x PT) {
	c.cell.Check()
	if x == nil {
		c.cell.Clear()
		return
	}
	c.pool.adopt(x)
	r := x.ref()
	s := r.slot
	if s.Table() != c.pool.table {
		panic("poolswap: Update with an object of another pool")
	}
	if !r.own.CompareAndSwap(true, false) {
		panic("poolswap: Update with an object that is not the caller's: it is current, or read, or was released")
	}
	s.Value = unsafe.Pointer(x)
	c.cell.Publish(s, s.Word().Gen(), nil)
	if c.pool.table.Len() > c.pool.keep+1 {
		c.pool.table.Tidy(c.pool.keep, c.pool.drop)
	}
}

// drop forgets the object of s, which is Owned.
func (p *Pool[T, PT]) drop(s *slots.Slot) {
	PT(s.Value).ref().slot = nil
	s.Value = nil
	s.Give(slots.Empty)
}

// Acquire returns the current object, nil if there is none. It must not be
// written, and is to be released once.
//
//poolproof:readonly
func (c *Container[T, PT]) Acquire() PT {
	return PT(c.cell.EnterAny().Value)
}

// Release is the Release of the pool.
//
//poolproof:owns x
func (c *Container[T, PT]) Release(x PT) { c.pool.Release(x) }

// GetNew is the Get of the pool.
func (c *Container[T, PT]) GetNew() PT {
	c.cell.Check()
	return c.pool.Get()
}

// WithAcquire calls f with the current object, nil if there is none, and releases
// it when f is left. It allocates nothing.
//
//poolproof:lends f
//poolproof:readonly f
func (c *Container[T, PT]) WithAcquire(f func(PT)) {
	x := c.Acquire()
	if x != nil {
		defer c.pool.Release(x)
	}
	f(x)
}
