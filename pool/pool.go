package pool

import (
	"sync"

	"github.com/poolproof/poolproof/internal/registry"
)

// Pool is a set of objects of type T that wait for their next use. It must be
// made by [New]: the methods of the zero value panic and say so. A Pool is safe
// for concurrent use and must not be copied; go vet reports a copy.
//
// [Pool.Put] of x synchronizes before the [Pool.Get] that returns x, in the terms
// of the Go memory model: the next owner sees all that the last one wrote.
type Pool[T any] struct {
	// objects.New is never nil and objects holds nothing but non-nil *T, so Get
	// needs no check. What a pool does beyond sync.Pool is done in
	// objects.New, which a Get that finds an object never reaches. A pool that
	// must see each Get (levels Uses and Leaks, checked build) keeps objects
	// empty and its objects elsewhere.
	objects sync.Pool

	// put gives x, which is a *T, back to the pool that objects is the first field
	// of, by the rules if there are any. It is a field, not a branch, because Put
	// is inlined only as long as it holds one call.
	put func(objects *sync.Pool, x any)

	// keep and reset are the rules that most pools have, beside what each Put
	// reads anyway.
	keep  func(*T) bool
	reset func(*T)

	// more holds the fields of slow paths. It is a pointer so that what they write
	// is not on the cache line that each Get and Put reads.
	more *state[T]
}

// New returns an empty pool that follows o. It panics if o contradicts itself,
// with a text that names the field.
func New[T any](o Options[T]) *Pool[T] {
	o.check()
	p := &Pool[T]{more: newState(o)}
	p.choose()
	if o.Name != "" {
		registry.Add(&named, p, (*Pool[T]).Stats)
	}
	return p
}

// Get returns an object that the caller owns until it is put: one that was put
// before, or a new one. Without a Reset rule an object that was put before is
// as its last owner left it. If Options.New panics, so does Get, and the pool is
// as it was.
func (p *Pool[T]) Get() *T {
	if p.put == nil {
		panic(notMade)
	}
	return p.objects.Get().(*T) //poolproof:ignore PV018 New returns nil to drain.Take alone
}

// notMade is the panic of a zero Pool.
const notMade = "pool: use of a Pool that was not made by New"

// must panics if p is zero.
func (p *Pool[T]) must() {
	if p.more == nil {
		panic(notMade)
	}
}

// Put gives x up for a later Get. The caller must own x and must not use it
// afterwards. Any *T may be put, wherever it comes from. A nil x is ignored. If
// a rule panics, so does Put; then x is dropped and the pool is as it was.
//
//poolproof:owns x
func (p *Pool[T]) Put(x *T) {
	if p.put == nil {
		panic(notMade)
	}
	if x != nil {
		p.put(&p.objects, x)
	}
}

// With calls f with an object of the pool, which f must not keep, and puts the
// object when f returns. If f panics or ends its goroutine (runtime.Goexit, as
// t.FailNow does) the object is dropped, since its state is not known.
func (p *Pool[T]) With(f func(*T)) {
	x := p.Get()
	returned := false
	defer func() {
		if !returned {
			p.more.abandon(x)
		}
	}()
	f(x)
	returned = true
	p.Put(x)
}

// WithError is [Pool.With] for a function that can fail. It returns the error of
// f. An object whose f returned is put, with an error or without: Options.Reset
// must be able to clean what an error has left.
func (p *Pool[T]) WithError(f func(*T) error) error {
	x := p.Get()
	returned := false
	defer func() {
		if !returned {
			p.more.abandon(x)
		}
	}()
	err := f(x)
	returned = true
	p.Put(x)
	return err
}

// Stats returns what p has counted.
func (p *Pool[T]) Stats() Stats {
	p.must()
	s := p.more
	stats := Stats{
		Name:        s.rules.Name,
		Level:       s.rules.Stats,
		Misses:      s.misses.Load(),
		FromReserve: s.fromReserve.Load(),
		Dropped: Drops{
			Keep:      s.dropped.keep.Load(),
			MaxSize:   s.dropped.maxSize.Load(),
			Underused: s.dropped.underused.Load(),
			Abandoned: s.dropped.abandoned.Load(),
			Twice:     s.dropped.twice.Load(),
		},
		Foreign: s.foreign.Load(),
	}
	if s.book == nil {
		stats.Level = min(stats.Level, Uses)
	}
	if s.uses != nil {
		stats.Gets, stats.Puts = s.uses.sum()
	}
	if s.rules.Stats >= Leaks && s.book != nil {
		stats.Lost, stats.InUse = s.book.Lost(), s.book.InUse()
	}
	if s.reserve != nil {
		stats.Reserved, stats.Decayed = int64(s.reserve.Len()), s.reserve.Decayed()
		stats.ReservedBytes = s.reserve.Bytes() // 0 without Size: store pushes with size 0
	}
	return stats
}
