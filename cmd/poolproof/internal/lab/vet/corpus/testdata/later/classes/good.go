// Package classes is right.
package classes

import (
	"math/bits"
	"sync"
)

var classes [20]sync.Pool

func Get(n int) []byte {
	if n == 0 {
		return nil
	}
	c := bits.Len(uint(n - 1))
	if c >= len(classes) {
		return make([]byte, n)
	}
	if p, ok := classes[c].Get().(*[]byte); ok {
		return (*p)[:n]
	}
	return make([]byte, n, 1<<c)
}

func Put(b []byte) {
	c := cap(b)
	if c == 0 || c&(c-1) != 0 {
		return
	}
	i := bits.Len(uint(c - 1))
	if i >= len(classes) {
		return
	}
	b = b[:0]
	classes[i].Put(&b)
}

type buffer struct{ b []byte }

func (x *buffer) grow(n int) {
	if cap(x.b)-len(x.b) >= n {
		return
	}
	old := x.b
	x.b = append(Get(2 * (cap(old) + n))[:0], old...)
	Put(old)
}

func (x *buffer) Write(p []byte) (int, error) {
	x.grow(len(p))
	x.b = append(x.b, p...)
	return len(p), nil
}

func (x *buffer) Close() error {
	Put(x.b)
	x.b = nil
	return nil
}

func Concat(ps ...[]byte) []byte {
	var x buffer
	defer x.Close()
	for _, p := range ps {
		x.Write(p)
	}
	return append([]byte(nil), x.b...)
}
