// Package reserve keeps a few objects of a sync.Pool across garbage
// collections, at no cost to the callers that the sync.Pool can serve.
//
// A sync.Pool drops an object that no Get took during two collections, so one
// that is used more rarely than that makes a new object for each use. A
// Stack stands behind the sync.Pool. It is asked only when the sync.Pool has
// nothing (Pop), and it takes an object only if such a miss has licensed one
// (Wanted, Push): callers that the sync.Pool serves see one atomic load when
// they give an object back.
//
//	Get:  x := syncPool.Get(); if nothing { x, _ = stack.Pop() }; if nothing { x = make }
//	Put:  if stack.Wanted() && stack.Push(x, size) { return }; syncPool.Put(x)
//
// # Licences
//
// A miss licenses one Push, unless the object that Pop returned for it was
// pushed in the same epoch of gcepoch. Without that exception an object in
// steady use would go round through the Stack and its mutex for ever; with it,
// the object goes to the sync.Pool at its second use between two collections
// and is found there from then on. A licence is used up by the Push that it
// allows, even one that a limit refuses. So there are never more calls of Push
// than misses.
//
// # Decay
//
// An object that no Pop took for IdleGCs collections is dropped. Pop returns
// the object that was pushed last, so the others age: what is kept shrinks to
// what is used.
package reserve

import (
	"sync"
	"sync/atomic"

	"github.com/poolproof/poolproof/internal/gcepoch"
)

// DefaultIdleGCs is how many collections an object may wait.
const DefaultIdleGCs = 8

// Limits bound what a Stack keeps.
type Limits struct {
	Items   int     // at most so many objects; 0 or less: no bound
	Bytes   int64   // at most so many bytes, by the sizes that Push is told; 0 or less: no bound
	IdleGCs int     // drop what was not popped for so many collections; 0 or less: DefaultIdleGCs
	Budget  *Budget // bytes that several Stacks share; nil: none
}

// Stack is the reserve of one sync.Pool. It is made by New and safe for
// concurrent use. It may be a part of a larger object.
type Stack[T any] struct {
	// wanted is the number of licences: misses whose objects may be pushed. It
	// is written under mu only; Wanted reads it without.
	wanted atomic.Int64

	mu sync.Mutex
	// kept is in the order of pushing, and epochs are read under mu: so they
	// never fall along it.
	kept    []kept[T]
	bytes   int64  // the sum of kept's sizes, also taken from the budget
	decayed uint64 // objects dropped because of their age
	limits  Limits
}

// kept is one object in reserve.
type kept[T any] struct {
	x     *T
	size  int64
	epoch uint64 // when it was pushed
}

// New returns an empty Stack that follows limits.
func New[T any](limits Limits) *Stack[T] {
	if limits.IdleGCs <= 0 {
		limits.IdleGCs = DefaultIdleGCs
	}
	s := &Stack[T]{limits: limits}
	gcepoch.OnGC(s, (*Stack[T]).age)
	return s
}

// Pop returns the object that was pushed last, and the size it was pushed with.
// Without one it returns nil and 0. It must be called for a miss of the
// sync.Pool and for nothing else, since it licenses a Push.
func (s *Stack[T]) Pop() (x *T, size int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	licence := true
	if last := len(s.kept) - 1; last >= 0 {
		k := s.kept[last]
		s.kept[last] = kept[T]{}
		s.kept = s.kept[:last]
		s.release(k.size)
		x, size = k.x, int(k.size)
		licence = k.epoch != gcepoch.Epoch()
	}
	// More licences than free places would only bring refusals.
	if room := s.limits.Items - len(s.kept); licence && (s.limits.Items <= 0 || s.wanted.Load() < int64(room)) {
		s.wanted.Add(1)
	}
	return x, size
}

// Wanted reports whether Push may take an object: one atomic load.
func (s *Stack[T]) Wanted() bool { return s.wanted.Load() != 0 }

// Push keeps x, which weighs size bytes, and reports whether it did. It did not
// if there is no licence (another Push can have used it since Wanted) or a limit
// is reached; then x is still the caller's.
func (s *Stack[T]) Push(x *T, size int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.wanted.Load() == 0 {
		return false
	}
	s.wanted.Add(-1)
	bytes := max(int64(size), 0)
	if l := s.limits; l.Items > 0 && len(s.kept) >= l.Items ||
		l.Bytes > 0 && bytes > l.Bytes-s.bytes ||
		!l.Budget.take(bytes) {
		return false
	}
	s.bytes += bytes
	s.kept = append(s.kept, kept[T]{x: x, size: bytes, epoch: gcepoch.Epoch()})
	return true
}

// Trim drops the objects that wait longest until at most toBytes bytes are kept,
// all objects if toBytes is 0 or less, and returns what it dropped.
func (s *Stack[T]) Trim(toBytes int64) (items int, bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := s.bytes
	for items < len(s.kept) && (left > toBytes || toBytes <= 0) {
		left -= s.kept[items].size
		items++
	}
	return items, s.drop(items)
}

// age drops the objects that no Pop took for limits.IdleGCs collections. It is
// called after each.
func (s *Stack[T]) age() {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, old := gcepoch.Epoch(), 0
	for old < len(s.kept) && s.kept[old].epoch+uint64(s.limits.IdleGCs) <= now {
		old++
	}
	s.drop(old)
	s.decayed += uint64(old)
}

// drop forgets the first n objects. The caller holds mu.
func (s *Stack[T]) drop(n int) (bytes int64) {
	for _, k := range s.kept[:n] {
		bytes += k.size
	}
	s.release(bytes)
	rest := copy(s.kept, s.kept[n:])
	clear(s.kept[rest:])
	s.kept = s.kept[:rest]
	return bytes
}

// release returns bytes to the limits. The caller holds mu.
func (s *Stack[T]) release(bytes int64) {
	s.bytes -= bytes
	s.limits.Budget.give(bytes)
}

// Len returns the number of objects kept.
func (s *Stack[T]) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.kept)
}

// Bytes returns the sum of the sizes of the objects kept.
func (s *Stack[T]) Bytes() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.bytes
}

// Decayed returns the number of objects dropped because of their age.
func (s *Stack[T]) Decayed() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.decayed
}
