// Package memocache keeps encoded answers.
package memocache

import (
	"bytes"
	"encoding/json"
	"sync"
)

// Cache maps a key to the JSON of its value.
type Cache struct {
	mu      sync.RWMutex
	entries map[string][]byte
	scratch sync.Pool
}

// New returns an empty cache.
func New() *Cache {
	return &Cache{
		entries: make(map[string][]byte),
		scratch: sync.Pool{New: func() any { return new(bytes.Buffer) }},
	}
}

// Set encodes v and keeps it under key.
func (c *Cache) Set(key string, v any) error {
	buf := c.scratch.Get().(*bytes.Buffer)
	defer c.scratch.Put(buf)
	buf.Reset()
	if err := json.NewEncoder(buf).Encode(v); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = buf.Bytes() // want "PV004"
	return nil
}

// Get returns the JSON under key.
func (c *Cache) Get(key string) ([]byte, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	b, ok := c.entries[key]
	return b, ok
}
