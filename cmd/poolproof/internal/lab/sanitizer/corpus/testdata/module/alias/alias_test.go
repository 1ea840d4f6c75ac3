// Package alias holds one memory in two pooled objects.
package alias

import (
	"bytes"
	"sync"
	"testing"
)

var pointers = sync.Pool{New: func() any { b := make([]byte, 128); return &b }}

// Two headers of one array are put.
//
//want:exact alias-put
//want:fast alias-put
func TestTwoHeadersOfOneArray(t *testing.T) {
	first := pointers.Get().(*[]byte)
	b := (*first)[:64]
	second := &b
	pointers.Put(first)
	pointers.Put(second)
}

// An array is cut into halves that both go to the pool; the capacity of the
// first half covers the second.
//
//want:exact alias-put
//want:fast alias-put
func TestHalvesOfOneArray(t *testing.T) {
	pool := sync.Pool{New: func() any { return make([]byte, 256) }}
	b := pool.Get().([]byte)
	head, tail := b[:128], b[128:]
	pool.Put(head)
	pool.Put(tail)
}

// A buffer was made around a pooled array; both go back to their pools.
//
//want:exact alias-put
//want:fast alias-put
func TestBufferAroundAPooledArray(t *testing.T) {
	buffers := sync.Pool{New: func() any { return new(bytes.Buffer) }}
	p := pointers.Get().(*[]byte)
	buf := bytes.NewBuffer((*p)[:0])
	buf.WriteString("text")
	buffers.Put(buf)
	pointers.Put(p)
}

type parent struct {
	child *child
	n     int
}

type child struct{ weights [8]float64 }

// A child that belongs to its parent is put for itself too.
//
//want:exact alias-put
//want:fast alias-put
func TestChildIsPutBesideItsParent(t *testing.T) {
	children := sync.Pool{New: func() any { return new(child) }}
	parents := sync.Pool{New: func() any { return &parent{child: new(child)} }}
	p := parents.Get().(*parent)
	children.Put(p.child)
	parents.Put(p)
}

// The parent goes first, the child after it.
//
//want:exact alias-put read-after-put?
//want:fast alias-put
func TestChildIsPutAfterItsParent(t *testing.T) {
	children := sync.Pool{New: func() any { return new(child) }}
	parents := sync.Pool{New: func() any { return &parent{child: new(child)} }}
	p := parents.Get().(*parent)
	c := p.child
	parents.Put(p)
	children.Put(c)
}

// A pooled array is put by value and, by another path, by its address.
//
//want:exact alias-put read-after-put?
//want:fast alias-put
func TestArrayIsPutByValueAndByAddress(t *testing.T) {
	values := sync.Pool{New: func() any { return make([]byte, 64) }}
	b := values.Get().([]byte)
	values.Put(b)
	pointers.Put(&b)
}
