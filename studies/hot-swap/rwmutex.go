package hotswap

import (
	"sync"
	"sync/atomic"
)

// RWMutex is the arm rwmutex: each Table is new, and the lock is held only
// while the current one is found or replaced.
type RWMutex struct {
	mu      sync.RWMutex
	current *Table
	made    atomic.Int64
}

// NewRWMutex returns an RWMutex whose first Table fill has filled.
func NewRWMutex(fill func(*Table)) *RWMutex {
	r := &RWMutex{}
	r.Replace(fill)
	return r
}

// Lookup implements Container.
func (r *RWMutex) Lookup(keys []string) (sum int) {
	for _, key := range keys {
		sum += weight(r.load().Find(key))
	}
	return sum
}

// Read implements Container.
func (r *RWMutex) Read(look func(*Table)) { look(r.load()) }

// Replace implements Container.
func (r *RWMutex) Replace(fill func(*Table)) {
	t := &Table{}
	r.made.Add(1)
	fill(t)
	r.mu.Lock()
	r.current = t
	r.mu.Unlock()
}

// Made implements Container.
func (r *RWMutex) Made() int { return int(r.made.Load()) }

func (r *RWMutex) load() *Table {
	r.mu.RLock()
	t := r.current
	r.mu.RUnlock()
	return t
}
