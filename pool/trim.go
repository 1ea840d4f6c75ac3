package pool

import (
	"sync"
	"sync/atomic"
)

// Trim drops the objects that wait for any goroutine, those in reserve among
// them, and returns how many. It cannot reach the one object that each other
// processor may hold for itself (two collections drop it), nor what a Local
// holds. To find out that nothing is left, Trim may ask Options.New for one object, which
// it drops and which counts as a miss. Trim is safe for concurrent use; while
// others put objects it may leave some.
func (p *Pool[T]) Trim() int {
	p.must()
	s := p.more
	n := s.trimChecked()
	if s.reserve != nil {
		items, _ := s.reserve.Trim(0)
		n += items
	}
	if s.uses != nil {
		for s.inner.Get() != nil { //poolproof:drop what waits is what Trim drops
			n++
		}
		return n
	}
	if s.seesAll() {
		return n
	}
	s.fresh.begin()
	defer s.fresh.end()
	for {
		if x := p.objects.Get().(*T); s.fresh.has(x) { //poolproof:drop what waits is what Trim drops
			return n
		}
		n++
	}
}

// fresh knows the objects that were made while Trim runs. A sync.Pool with a
// New does not say that it is empty: a fresh object does.
type fresh[T any] struct {
	trimming sync.Mutex // held by Trim: one at a time
	active   atomic.Bool

	mu   sync.Mutex
	made map[*T]struct{} // nil while no Trim runs
}

func (f *fresh[T]) begin() {
	f.trimming.Lock()
	f.mu.Lock()
	f.made = make(map[*T]struct{})
	f.mu.Unlock()
	f.active.Store(true)
}

func (f *fresh[T]) end() {
	f.active.Store(false)
	f.mu.Lock()
	f.made = nil
	f.mu.Unlock()
	f.trimming.Unlock()
}

// add is called for each object that is made.
func (f *fresh[T]) add(x *T) {
	if !f.active.Load() {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.made != nil {
		f.made[x] = struct{}{}
	}
}

func (f *fresh[T]) has(x *T) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, found := f.made[x]
	return found
}
