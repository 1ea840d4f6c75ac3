// Package lender lends scratch slices.
package lender

import (
	"slices"
	"sync"
)

var ints = sync.Pool{New: func() any { return new([]int) }}

// With lends f a slice of length n.
func With[R any](n int, f func(s []int) R) R {
	sp := ints.Get().(*[]int)
	defer ints.Put(sp)
	*sp = slices.Grow((*sp)[:0], n)[:n]
	return f(*sp)
}

// Median returns the median.
func Median(values []int) int {
	return With(len(values), func(s []int) int {
		copy(s, values)
		slices.Sort(s)
		return s[len(s)/2]
	})
}

// Ranks returns the place of each value.
func Ranks(values []int) []int {
	return With(len(values), func(s []int) []int {
		copy(s, values)
		slices.Sort(s)
		out := make([]int, len(values))
		for i, v := range values {
			out[i], _ = slices.BinarySearch(s, v)
		}
		return out
	})
}
