package hotswap

import "sync"

// InPlace is the arm inplace: there is one Table, which is emptied and filled
// again under the lock. Readers, and other writers, wait for that.
type InPlace struct {
	mu    sync.RWMutex
	table Table
}

// NewInPlace returns an InPlace whose Table fill has filled.
func NewInPlace(fill func(*Table)) *InPlace {
	p := &InPlace{}
	p.Replace(fill)
	return p
}

// Lookup implements Container.
func (p *InPlace) Lookup(keys []string) (sum int) {
	for _, key := range keys {
		p.mu.RLock()
		sum += weight(p.table.Find(key))
		p.mu.RUnlock()
	}
	return sum
}

// Read implements Container. look must not call Replace, which would wait for
// look to return.
func (p *InPlace) Read(look func(*Table)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	look(&p.table)
}

// Replace implements Container.
func (p *InPlace) Replace(fill func(*Table)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.table.Reset()
	fill(&p.table)
}

// Made implements Container.
func (p *InPlace) Made() int { return 1 }
