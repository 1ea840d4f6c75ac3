package hotswappeers

import "github.com/puzpuzpuz/xsync/v4"

// rbMutex is one value behind a lock whose readers are spread over counters, and
// whose writers wait for all of them.
type rbMutex[V Words] struct {
	mu    *xsync.RBMutex
	value V
}

func newRBMutex[V Words]() Share[V] { return &rbMutex[V]{mu: xsync.NewRBMutex()} }

func (p *rbMutex[V]) Goroutine() Goroutine[V] { return p }
func (p *rbMutex[V]) Release()                {}
func (p *rbMutex[V]) Made() int               { return 1 }

func (p *rbMutex[V]) Reads(n int) (sum uint64) {
	for range n {
		t := p.mu.RLock()
		sum += p.value[0]
		p.mu.RUnlock(t)
	}
	return sum
}

func (p *rbMutex[V]) Write(n uint64) {
	p.mu.Lock()
	fill(&p.value, n)
	p.mu.Unlock()
}

func (p *rbMutex[V]) See(look func(*V)) {
	t := p.mu.RLock()
	defer p.mu.RUnlock(t)
	look(&p.value)
}
