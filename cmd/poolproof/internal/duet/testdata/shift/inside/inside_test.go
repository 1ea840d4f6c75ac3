// Package inside has in-package tests alone.
package inside

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
