// Package pool keeps objects for reuse: a typed sync.Pool that can be told how
// to make an object and how to clean one.
//
//	var buffers = pool.New(pool.Rules[bytes.Buffer]{
//		Reset: (*bytes.Buffer).Reset,
//	})
//
//	b := buffers.Get() // *bytes.Buffer, the caller's alone
//	...
//	buffers.Put(b) // given up: b must not be used after this
//
// # Ownership
//
// Get hands an object to its caller, who owns it until Put. After Put the next
// Get, by any goroutine, may return the same object: whoever still reads or
// writes it, or a part of it such as the bytes of a buffer, works on somebody
// else's data. An object is put at most once for each Get. One that is never
// put does no harm: the garbage collector takes it.
//
// # What a pool keeps
//
// A Pool keeps what sync.Pool keeps. An object that nobody asked for during
// two garbage collections is dropped, the number of objects is not bounded,
// and each processor has its own. An object keeps the memory that it has
// grown: after one large use it stays large for the small ones that follow.
//
// # When not to use one
//
// A goroutine that uses one object after the other needs no pool: a variable
// of its own costs less. Nor does a value that the compiler can keep on the
// stack, or one that is used so rarely that two collections empty the pool in
// between. Measure first.
package pool

import "sync"

// Rules say how a Pool makes and cleans its objects. The zero value asks for
// nothing: objects are made by new(T) and kept as they are put.
type Rules[T any] struct {
	// New makes an object when the pool has none. It must not return nil, and
	// must be safe for concurrent use. Nil means new(T).
	New func() *T

	// Reset is called by Put, once for each object, before anyone else can see
	// it. It is the place to cut the object's references to other memory,
	// which the pool would otherwise keep alive, and to remove what the next
	// owner must not read. It must be safe for concurrent use on different
	// objects. If it panics, the object is not put. Nil means that objects are
	// kept as they are put.
	Reset func(*T)
}

// Pool is a set of objects of type T that wait for their next use. It must be
// made by New: Get and Put of the zero value panic. A Pool is safe for
// concurrent use and must not be copied; go vet reports a copy.
//
// Get and Put are inlined into their callers.
type Pool[T any] struct {
	// objects holds nothing but non-nil *T, and its New is never nil: so Get
	// needs no check.
	objects sync.Pool

	// put gives an object back, by the rules if there are any. It is a field,
	// not a branch, because Put is inlined only as long as it holds one call.
	put func(objects *sync.Pool, x any)
}

// New returns an empty pool that follows r.
func New[T any](r Rules[T]) *Pool[T] {
	p := &Pool[T]{put: (*sync.Pool).Put}
	p.objects.New = func() any { return new(T) }
	if r.New != nil {
		p.objects.New = func() any {
			x := r.New()
			if x == nil {
				panic("pool: Rules.New returned nil")
			}
			return x
		}
	}
	if r.Reset != nil {
		p.put = func(objects *sync.Pool, x any) {
			r.Reset(x.(*T))
			objects.Put(x)
		}
	}
	return p
}

// Get returns an object that the caller owns until it is put: one that was put
// before, or a new one. Without a Reset rule an object that was put before is
// as its last owner left it.
func (p *Pool[T]) Get() *T {
	return p.objects.Get().(*T)
}

// Put gives x up for a later Get. The caller must own x and must not use it
// afterwards. Any *T may be put, wherever it comes from. A nil x is ignored.
func (p *Pool[T]) Put(x *T) {
	if x != nil {
		p.put(&p.objects, x)
	}
}
