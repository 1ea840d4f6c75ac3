// Package sizeclasses has buffers of three sizes.
package sizeclasses

import (
	"io"
	"sync"
)

var pools [3]sync.Pool

func class(n int) int {
	switch {
	case n <= 1<<10:
		return 0
	case n <= 1<<14:
		return 1
	}
	return 2
}

// Get returns a slice of length n.
func Get(n int) *[]byte {
	c := class(n)
	if bp, _ := pools[c].Get().(*[]byte); bp != nil && cap(*bp) >= n {
		*bp = (*bp)[:n]
		return bp
	}
	b := make([]byte, n, max(n, 1<<(10+4*c)))
	return &b
}

// Put gives a slice back.
func Put(bp *[]byte) {
	switch n := cap(*bp); {
	case n < 1<<10 || n > 1<<20:
	case n < 1<<14:
		pools[0].Put(bp)
	case n < 1<<18:
		pools[1].Put(bp)
	default:
		pools[2].Put(bp)
	}
}

// ReadAll reads exactly n bytes and returns their text.
func ReadAll(r io.Reader, n int) (string, error) {
	bp := Get(n)
	defer Put(bp)
	if _, err := io.ReadFull(r, *bp); err != nil {
		return "", err
	}
	return string(*bp), nil
}
