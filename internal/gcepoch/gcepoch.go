// Package gcepoch counts the garbage collections of the process and tells
// subscribers of each, without a timer and without a private door of the
// runtime.
//
// It keeps no object alive but watches one: a sentinel that nothing refers to.
// The next collection takes it, which ends an epoch, and a new sentinel begins
// the next one. Two things notice that a sentinel is gone, whichever comes
// first: a cleanup that is attached to it (runtime.AddCleanup), and Epoch, which
// looks through a weak pointer. The weak pointer makes Epoch exact right after a
// collection; the cleanup, which runs a little later and on a goroutine of the
// runtime, makes sure that subscribers hear of it when no goroutine calls Epoch.
//
// A sentinel that is made or looked at while a collection is marking survives
// it. So an epoch may span more than one collection, and there are never more
// epochs than collections.
package gcepoch

import (
	"runtime"
	"sync"
	"sync/atomic"
	"weak"
)

// sentinel is freed by a collection. It holds a pointer, because the runtime
// may put several pointer-free objects of up to 16 bytes into one block, where
// a neighbour would keep it.
type sentinel struct{ _ *byte }

// epoch is the time between two collections. It must not refer to its sentinel,
// which would then never be collected.
type epoch struct {
	n     uint64
	alive weak.Pointer[sentinel]
}

// current is the epoch that is running, nil before the first use. It only
// changes by begin, from one epoch to the one after it.
var current atomic.Pointer[epoch]

// begin ends last and starts the next epoch, unless another call has: the
// compare-and-swap lets exactly one caller win, and only the winner's sentinel
// keeps its cleanup. So each epoch has one sentinel, and its cleanup runs once.
//
// The winner's sentinel is not referred to any more when begin has won: a
// collection that starts right then must find it dead.
func begin(last *epoch) {
	s := new(sentinel)
	next := &epoch{alive: weak.Make(s)}
	if last != nil {
		next.n = last.n + 1
	}
	cleanup := runtime.AddCleanup(s, ended, next)
	if !current.CompareAndSwap(last, next) {
		cleanup.Stop()
		runtime.KeepAlive(s) // as Stop asks
	}
}

// ended is the cleanup of the sentinel of e.
func ended(e *epoch) {
	begin(e)
	tell()
}

// Epoch returns the number of collections that have been noticed since the
// package was first used. A collection is noticed by the time that runtime.GC
// returns, unless another goroutine was just looking at the sentinel. It costs some tens of nanoseconds and allocates only when
// an epoch ends. It is safe for concurrent use.
func Epoch() uint64 {
	for {
		e := current.Load()
		if e != nil && e.alive.Value() != nil {
			return e.n
		}
		begin(e)
	}
}

var subscribers struct {
	telling sync.Mutex // held while subscribers are told: one collection at a time
	told    uint64     // the epoch whose beginning they were told last

	mu   sync.Mutex
	list []func() (alive bool)
}

// OnGC has told called with x after each collection that is noticed from now
// on, once for those that are noticed together, as long as x is alive: it holds x weakly. told runs on a goroutine of the
// runtime that other cleanups wait for, one subscriber after the other and never
// two calls at once, so it must be quick; it must not panic, must not refer to x
// other than by its argument (a method expression does not), and may be late. It
// may call OnGC. If x is a part of a larger object, the larger object must be
// alive. OnGC is safe for concurrent use.
func OnGC[T any](x *T, told func(*T)) {
	w := weak.Make(x)
	subscribers.mu.Lock()
	subscribers.list = append(subscribers.list, func() bool {
		x := w.Value()
		if x != nil {
			told(x)
		}
		return x != nil
	})
	subscribers.mu.Unlock()
	Epoch() // the first use starts the count
}

// tell calls all subscribers, unless they have been told of this epoch, and forgets those that are gone.
func tell() {
	subscribers.telling.Lock()
	defer subscribers.telling.Unlock()
	now := current.Load().n // not Epoch, whose look would keep the sentinel through a collection
	if subscribers.told == now {
		return // by a call that noticed it first
	}
	subscribers.told = now

	subscribers.mu.Lock()
	list := subscribers.list
	subscribers.list = nil
	subscribers.mu.Unlock()

	kept := list[:0]
	for _, told := range list {
		if told() {
			kept = append(kept, told)
		}
	}
	clear(list[len(kept):])

	subscribers.mu.Lock()
	subscribers.list = append(kept, subscribers.list...)
	subscribers.mu.Unlock()
}

// Collect runs n collections, each of which ends an epoch, and tells subscribers
// of each before it returns; the runtime's cleanups, which would tell them too,
// are not waited for. They may be late without limit: what waits to be run on a
// processor that GOMAXPROCS takes away waits until it comes back (Go 1.26,
// cleanupQueue.flush). It is for tests and for checks that need to know what a
// collection takes. It must not be called by a subscriber.
func Collect(n int) {
	for range n {
		for last := Epoch(); Epoch() == last; {
			runtime.GC()
		}
		tell()
	}
}
