// Package classes hands out byte slices of a wanted length from pools of
// several sizes. The pools hold boxes, so that no slice header is allocated.
package classes

import (
	"math/bits"
	"sync"
)

type box struct{ mem []byte }

var (
	full  [17]sync.Pool
	empty = sync.Pool{New: func() any { return new(box) }}
)

func class(n int) int { return bits.Len(uint(max(n, 1) - 1)) }

// Get returns a slice of n bytes with unspecified content.
func Get(n int) []byte {
	c := class(n)
	if c >= len(full) {
		return make([]byte, n)
	}
	x, ok := full[c].Get().(*box)
	if !ok {
		return make([]byte, n, 1<<c)
	}
	b := x.mem
	x.mem = nil
	empty.Put(x)
	return b[:n]
}

// Put takes back what Get returned. Other slices go to the collector.
func Put(b []byte) {
	c := class(cap(b))
	if cap(b) == 0 || c >= len(full) || cap(b) != 1<<c {
		return
	}
	x := empty.Get().(*box)
	x.mem = b[:0]
	full[c].Put(x)
}
