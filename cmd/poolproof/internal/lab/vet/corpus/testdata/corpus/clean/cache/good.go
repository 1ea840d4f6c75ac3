// Package cache keeps pooled entries until they are evicted.
package cache

import (
	"bytes"
	"container/list"
	"sync"
)

type entry struct {
	key   string
	value []byte
}

var entries = sync.Pool{New: func() any { return new(entry) }}

// Cache keeps the entries that were used last.
type Cache struct {
	mu    sync.Mutex
	max   int
	order *list.List
	byKey map[string]*list.Element
}

// New returns a cache of max entries.
func New(max int) *Cache {
	return &Cache{max: max, order: list.New(), byKey: map[string]*list.Element{}}
}

// Set stores a copy of value.
func (c *Cache) Set(key string, value []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, ok := c.byKey[key]; ok {
		e := at.Value.(*entry)
		e.value = append(e.value[:0], value...)
		c.order.MoveToFront(at)
		return
	}
	e := entries.Get().(*entry)
	e.key = key
	e.value = append(e.value[:0], value...)
	c.byKey[key] = c.order.PushFront(e) // fine "PV004 PV006" the cache's
	if c.order.Len() > c.max {
		c.evict()
	}
}

func (c *Cache) evict() {
	at := c.order.Back()
	if at == nil {
		return
	}
	e := c.order.Remove(at).(*entry)
	delete(c.byKey, e.key)
	e.key, e.value = "", e.value[:0]
	entries.Put(e) // fine "PV001 PV004" taken out of list and map
}

// Get returns a copy of the value.
func (c *Cache) Get(key string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byKey[key]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(at)
	return bytes.Clone(at.Value.(*entry).value), true // fine "PV003" a clone
}

// View lends the value to fn.
func (c *Cache) View(key string, fn func([]byte)) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.byKey[key]
	if ok {
		fn(at.Value.(*entry).value) // fine "PV004" lent under the lock
	}
	return ok
}
