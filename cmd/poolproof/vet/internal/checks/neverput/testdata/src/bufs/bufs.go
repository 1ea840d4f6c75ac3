// Package bufs is a pool behind functions, as most programs have one.
package bufs

import (
	"bytes"
	"sync"
)

var pool = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Get returns an empty buffer.
func Get() *bytes.Buffer {
	b := pool.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

// Put gives b back, unless it has grown too large.
func Put(b *bytes.Buffer) {
	if b.Cap() > 1<<16 {
		return
	}
	pool.Put(b)
}
