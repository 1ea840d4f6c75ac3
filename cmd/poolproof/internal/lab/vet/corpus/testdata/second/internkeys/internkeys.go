// Package internkeys counts by a composed key.
package internkeys

import (
	"strconv"
	"sync"
)

var keys = sync.Pool{New: func() any { b := make([]byte, 0, 64); return &b }}

// Counter counts.
type Counter struct {
	mu sync.Mutex
	m  map[string]*int
}

// Inc adds one.
func (c *Counter) Inc(method, path string, code int) {
	bp := keys.Get().(*[]byte)
	b := append((*bp)[:0], method...)
	b = append(append(b, ' '), path...)
	b = strconv.AppendInt(append(b, ' '), int64(code), 10)
	c.mu.Lock()
	n, ok := c.m[string(b)]
	if !ok {
		n = new(int)
		if c.m == nil {
			c.m = map[string]*int{}
		}
		c.m[string(b)] = n
	}
	*n++
	c.mu.Unlock()
	*bp = b
	keys.Put(bp)
}
