package hotswap

import "sync/atomic"

// Atomic is the arm atomic: each Table is new, and the collector takes it when
// the last reader has left.
type Atomic struct {
	current atomic.Pointer[Table]
	made    atomic.Int64
}

// NewAtomic returns an Atomic whose first Table fill has filled.
func NewAtomic(fill func(*Table)) *Atomic {
	a := &Atomic{}
	a.Replace(fill)
	return a
}

// Lookup implements Container.
func (a *Atomic) Lookup(keys []string) (sum int) {
	for _, key := range keys {
		sum += weight(a.current.Load().Find(key))
	}
	return sum
}

// Read implements Container.
func (a *Atomic) Read(look func(*Table)) { look(a.current.Load()) }

// Replace implements Container.
func (a *Atomic) Replace(fill func(*Table)) {
	t := &Table{}
	a.made.Add(1)
	fill(t)
	a.current.Store(t)
}

// Made implements Container.
func (a *Atomic) Made() int { return int(a.made.Load()) }
