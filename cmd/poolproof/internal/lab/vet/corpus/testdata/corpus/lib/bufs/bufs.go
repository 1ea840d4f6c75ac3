// Package bufs hands out buffers and byte slices from two pools, and drops
// what has grown too large on its way back.
package bufs

import (
	"bytes"
	"sync"
)

const limit = 64 << 10

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Get returns an empty buffer.
func Get() *bytes.Buffer {
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()
	return b
}

// Put takes b back unless it has become too large to keep.
func Put(b *bytes.Buffer) {
	if b == nil || b.Cap() > limit {
		return
	}
	buffers.Put(b)
}

var slices = sync.Pool{New: func() any {
	b := make([]byte, 0, 4096)
	return &b
}}

// GetBytes returns a slice of length 0 behind a pointer.
func GetBytes() *[]byte {
	p := slices.Get().(*[]byte)
	*p = (*p)[:0]
	return p
}

// PutBytes takes it back.
func PutBytes(p *[]byte) {
	if cap(*p) > limit {
		return
	}
	slices.Put(p)
}
