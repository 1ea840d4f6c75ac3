// Package lru is a cache of a bounded number of values, whose entries are used again.
package lru

import (
	"container/list"
	"sync"
)

type entry struct {
	key   string
	value []byte
}

var entries = sync.Pool{New: func() any { return new(entry) }}

// Cache keeps copies of values.
type Cache struct {
	max int

	mu    sync.Mutex
	order *list.List
	byKey map[string]*list.Element
}

// New returns a Cache of max values.
func New(max int) *Cache {
	return &Cache{max: max, order: list.New(), byKey: make(map[string]*list.Element)}
}

// Append appends the value of key to dst.
func (c *Cache) Append(dst []byte, key string) ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el, ok := c.byKey[key]
	if !ok {
		return dst, false
	}
	c.order.MoveToFront(el)
	return append(dst, el.Value.(*entry).value...), true
}

// Set sets the value of key to a copy of value.
func (c *Cache) Set(key string, value []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.byKey[key]; ok {
		e := el.Value.(*entry)
		e.value = append(e.value[:0], value...)
		c.order.MoveToFront(el)
		return
	}
	e := entries.Get().(*entry)
	e.key = key
	e.value = append(e.value[:0], value...)
	c.byKey[key] = c.order.PushFront(e)
	for len(c.byKey) > c.max {
		c.remove(c.order.Back())
	}
}

// Delete removes a value.
func (c *Cache) Delete(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if el, ok := c.byKey[key]; ok {
		c.remove(el)
	}
}

func (c *Cache) remove(el *list.Element) {
	e := c.order.Remove(el).(*entry)
	delete(c.byKey, e.key)
	entries.Put(e)
}
