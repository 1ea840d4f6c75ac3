package hotswappeers

import (
	"sync"
	"sync/atomic"
)

// counted is the design of github.com/keilerkonzept/poolswap, from its
// description: a lock held while the current value is found and counted, the
// count in the value, and a sync.Pool.
type counted[V Words] struct {
	mu      sync.RWMutex
	current *countedValue[V]
	free    sync.Pool // of *countedValue[V]
	made    atomic.Int64
}

type countedValue[V Words] struct {
	count atomic.Int64
	_     [56]byte // the rest of a cache line, as published
	value V
}

func newCounted[V Words]() Share[V] {
	c := &counted[V]{}
	c.free.New = func() any {
		c.made.Add(1)
		return &countedValue[V]{}
	}
	c.current = c.free.Get().(*countedValue[V])
	c.current.count.Store(1)
	return c
}

func (c *counted[V]) Goroutine() Goroutine[V] { return c }
func (c *counted[V]) Release()                {}
func (c *counted[V]) Made() int               { return int(c.made.Load()) }

func (c *counted[V]) Reads(n int) (sum uint64) {
	for range n {
		x := c.acquire()
		sum += x.value[0]
		c.release(x)
	}
	return sum
}

func (c *counted[V]) Write(n uint64) {
	x := c.free.Get().(*countedValue[V])
	x.count.Store(1)
	fill(&x.value, n)
	c.mu.Lock()
	old := c.current
	c.current = x
	c.mu.Unlock()
	c.release(old)
}

func (c *counted[V]) See(look func(*V)) {
	x := c.acquire()
	defer c.release(x)
	look(&x.value)
}

func (c *counted[V]) acquire() *countedValue[V] {
	c.mu.RLock()
	x := c.current
	x.count.Add(1)
	c.mu.RUnlock()
	return x
}

func (c *counted[V]) release(x *countedValue[V]) {
	if x.count.Add(-1) == 0 {
		c.free.Put(x)
	}
}

// swapped is an atomic pointer to a new value.
type swapped[V Words] struct {
	current atomic.Pointer[V]
	made    atomic.Int64
}

func newAtomic[V Words]() Share[V] {
	s := &swapped[V]{}
	s.Write(0)
	return s
}

func (s *swapped[V]) Goroutine() Goroutine[V] { return s }
func (s *swapped[V]) Release()                {}
func (s *swapped[V]) Made() int               { return int(s.made.Load()) }
func (s *swapped[V]) See(look func(*V))       { look(s.current.Load()) }

func (s *swapped[V]) Reads(n int) (sum uint64) {
	for range n {
		sum += (*s.current.Load())[0]
	}
	return sum
}

func (s *swapped[V]) Write(n uint64) {
	x := new(V)
	s.made.Add(1)
	fill(x, n)
	s.current.Store(x)
}

// inPlace is one value behind an RWMutex.
type inPlace[V Words] struct {
	mu    sync.RWMutex
	value V
}

func newInPlace[V Words]() Share[V] { return &inPlace[V]{} }

func (p *inPlace[V]) Goroutine() Goroutine[V] { return p }
func (p *inPlace[V]) Release()                {}
func (p *inPlace[V]) Made() int               { return 1 }

func (p *inPlace[V]) Reads(n int) (sum uint64) {
	for range n {
		p.mu.RLock()
		sum += p.value[0]
		p.mu.RUnlock()
	}
	return sum
}

func (p *inPlace[V]) Write(n uint64) {
	p.mu.Lock()
	fill(&p.value, n)
	p.mu.Unlock()
}

func (p *inPlace[V]) See(look func(*V)) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	look(&p.value)
}

// pointed is a pointer to a new value behind an RWMutex.
type pointed[V Words] struct {
	mu      sync.RWMutex
	current *V
	made    atomic.Int64
}

func newRWMutex[V Words]() Share[V] {
	p := &pointed[V]{}
	p.Write(0)
	return p
}

func (p *pointed[V]) Goroutine() Goroutine[V] { return p }
func (p *pointed[V]) Release()                {}
func (p *pointed[V]) Made() int               { return int(p.made.Load()) }
func (p *pointed[V]) See(look func(*V))       { look(p.load()) }

func (p *pointed[V]) Reads(n int) (sum uint64) {
	for range n {
		sum += (*p.load())[0]
	}
	return sum
}

func (p *pointed[V]) Write(n uint64) {
	x := new(V)
	p.made.Add(1)
	fill(x, n)
	p.mu.Lock()
	p.current = x
	p.mu.Unlock()
}

func (p *pointed[V]) load() *V {
	p.mu.RLock()
	x := p.current
	p.mu.RUnlock()
	return x
}
