// Package cachekey makes keys of requests for a cache of answers.
package cachekey

import (
	"net/http"
	"slices"
	"sync"
	"unsafe"
)

type scratch struct {
	buf   []byte
	names []string
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// Cache holds answers by key.
type Cache struct {
	mu sync.Mutex
	m  map[string][]byte
}

func key(r *http.Request, vary []string) string {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	s.buf = append(s.buf[:0], r.Method...)
	s.buf = append(s.buf, ' ')
	s.buf = append(s.buf, r.URL.RequestURI()...)
	s.names = append(s.names[:0], vary...)
	slices.Sort(s.names)
	for _, name := range s.names {
		s.buf = append(s.buf, '\n')
		s.buf = append(s.buf, name...)
		s.buf = append(s.buf, ':')
		s.buf = append(s.buf, r.Header.Get(name)...)
	}
	return unsafe.String(unsafe.SliceData(s.buf), len(s.buf)) // want PV003
}

// Find returns the answer to r.
func (c *Cache) Find(r *http.Request, vary []string) ([]byte, bool) {
	k := key(r, vary)
	c.mu.Lock()
	defer c.mu.Unlock()
	body, ok := c.m[k]
	return body, ok
}

// Add sets the answer to r.
func (c *Cache) Add(r *http.Request, vary []string, body []byte) {
	k := key(r, vary)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.m == nil {
		c.m = make(map[string][]byte)
	}
	c.m[k] = body
}
