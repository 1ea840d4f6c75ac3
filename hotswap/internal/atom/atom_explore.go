//go:build poolproofexplore

package atom

import (
	"context"

	"github.com/poolproof/poolproof/hotswap/internal/explore"
)

// Int64 is an atomic int64 whose every operation is a point of the explorer.
type Int64 struct{ v int64 }

func (x *Int64) Load() int64   { explore.Point(); return x.v }
func (x *Int64) Store(v int64) { explore.Point(); x.v = v }
func (x *Int64) Add(d int64) int64 {
	explore.Point()
	x.v += d
	return x.v
}
func (x *Int64) CompareAndSwap(old, new int64) bool {
	explore.Point()
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

// Uint64 is an atomic uint64 whose every operation is a point of the explorer.
type Uint64 struct{ v uint64 }

func (x *Uint64) Load() uint64   { explore.Point(); return x.v }
func (x *Uint64) Store(v uint64) { explore.Point(); x.v = v }
func (x *Uint64) Add(d uint64) uint64 {
	explore.Point()
	x.v += d
	return x.v
}
func (x *Uint64) CompareAndSwap(old, new uint64) bool {
	explore.Point()
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

// Bool is an atomic bool whose every operation is a point of the explorer.
type Bool struct{ v bool }

func (x *Bool) Load() bool   { explore.Point(); return x.v }
func (x *Bool) Store(v bool) { explore.Point(); x.v = v }
func (x *Bool) Swap(v bool) bool {
	explore.Point()
	old := x.v
	x.v = v
	return old
}
func (x *Bool) CompareAndSwap(old, new bool) bool {
	explore.Point()
	if x.v != old {
		return false
	}
	x.v = new
	return true
}

// Pointer is an atomic *T whose every operation is a point of the explorer.
type Pointer[T any] struct{ v *T }

func (x *Pointer[T]) Load() *T   { explore.Point(); return x.v }
func (x *Pointer[T]) Store(v *T) { explore.Point(); x.v = v }
func (x *Pointer[T]) Swap(v *T) *T {
	explore.Point()
	old := x.v
	x.v = v
	return old
}

// Mutex blocks in the explorer.
type Mutex struct{ locked bool }

func (m *Mutex) Lock() {
	explore.Point()
	for m.locked {
		explore.Block(func() bool { return !m.locked })
	}
	m.locked = true
}

func (m *Mutex) Unlock() {
	explore.Point()
	if !m.locked {
		panic("unlock of an unlocked Mutex")
	}
	m.locked = false
}

// Event happens at most once.
type Event = *event

type event struct{ happened bool }

func NewEvent() Event { return new(event) }

func (e *event) Happen() {
	explore.Point()
	if e.happened {
		panic("an Event happened twice")
	}
	e.happened = true
}

func (e *event) Happened() bool { explore.Point(); return e.happened }

// Wait blocks in the explorer until e or other has happened. No context ends.
func (e *event) Wait(_ context.Context, other Event) error {
	explore.Point()
	explore.Block(func() bool { return e.happened || other != nil && other.happened })
	return nil
}

// Places is how many places of a line of package slots are used.
var Places = 1

// Shards is how many shards the tables of a scenario have: so many hints differ.
var Shards = 1

// Hint is a choice of the explorer.
func Hint() uint64 { return uint64(explore.Choose(Shards)) << 55 }
