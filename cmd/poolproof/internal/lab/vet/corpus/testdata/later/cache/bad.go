// Package cache keeps rendered pages.
package cache

import (
	"bytes"
	"html/template"
	"io"
	"sync"
)

var pages = sync.Pool{New: func() any { return new(bytes.Buffer) }}

type Cache struct {
	mu   sync.RWMutex
	m    map[string][]byte
	once sync.Map
}

func (c *Cache) Page(key string, t *template.Template, data any) ([]byte, error) {
	c.mu.RLock()
	p, ok := c.m[key]
	c.mu.RUnlock()
	if ok {
		return p, nil
	}
	b := pages.Get().(*bytes.Buffer)
	b.Reset()
	defer pages.Put(b)
	if err := t.Execute(b, data); err != nil {
		return nil, err
	}
	c.mu.Lock()
	c.m[key] = b.Bytes() // want "PV004"
	c.mu.Unlock()
	return bytes.Clone(b.Bytes()), nil
}

func (c *Cache) Once(key string, fill func(io.Writer) error) error {
	b := pages.Get().(*bytes.Buffer)
	b.Reset()
	if err := fill(b); err != nil {
		pages.Put(b)
		return err
	}
	c.once.LoadOrStore(key, b.Bytes()) // want "PV004|PV001"
	pages.Put(b)
	return nil
}
