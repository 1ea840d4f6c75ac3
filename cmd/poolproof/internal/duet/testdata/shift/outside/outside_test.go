// Package outside_test has external tests alone.
package outside_test

import "testing"

//go:noinline
func Sum(n int) (x int) {
	for i := range n {
		x = x*31 + i
	}
	return x
}

func BenchmarkSum(b *testing.B) {
	for b.Loop() {
		Sum(100)
	}
}
