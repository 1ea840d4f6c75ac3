package hotswap

import (
	"sync"
	"sync/atomic"
)

// Counted is the arm counted. A Table has a count: one for being current, one
// for each reader. Who takes it to zero, the last reader as a rule, empties the
// Table and puts it into the pool. The lock is held only while the current
// Table is found and counted: without it a reader could count a Table that was
// put back in between.
type Counted struct {
	mu      sync.RWMutex
	current *countedTable
	free    sync.Pool // of empty *countedTable
	made    atomic.Int64
}

type countedTable struct {
	count atomic.Int64
	_     [56]byte // the rest of a cache line, as published
	Table
}

// NewCounted returns a Counted whose first Table fill has filled.
func NewCounted(fill func(*Table)) *Counted {
	c := &Counted{}
	c.free.New = func() any {
		c.made.Add(1)
		return &countedTable{}
	}
	c.current = c.get(fill)
	return c
}

// Lookup implements Container.
func (c *Counted) Lookup(keys []string) (sum int) {
	for _, key := range keys {
		t := c.acquire()
		sum += weight(t.Find(key))
		c.release(t)
	}
	return sum
}

// Read implements Container.
func (c *Counted) Read(look func(*Table)) {
	t := c.acquire()
	defer c.release(t)
	look(&t.Table)
}

// Replace implements Container.
func (c *Counted) Replace(fill func(*Table)) {
	t := c.get(fill)
	c.mu.Lock()
	old := c.current
	c.current = t
	c.mu.Unlock()
	c.release(old)
}

// Made implements Container.
func (c *Counted) Made() int { return int(c.made.Load()) }

// get returns a filled Table whose count is one.
func (c *Counted) get(fill func(*Table)) *countedTable {
	t := c.free.Get().(*countedTable)
	t.count.Store(1)
	fill(&t.Table)
	return t
}

func (c *Counted) acquire() *countedTable {
	c.mu.RLock()
	t := c.current
	t.count.Add(1)
	c.mu.RUnlock()
	return t
}

func (c *Counted) release(t *countedTable) {
	if t.count.Add(-1) == 0 {
		c.recycle(t)
	}
}

func (c *Counted) recycle(t *countedTable) {
	t.Reset()
	c.free.Put(t)
}
