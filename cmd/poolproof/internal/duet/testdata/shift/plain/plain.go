// Package plain has code of its own.
package plain

// Sum is what the benchmark measures.
//
//go:noinline
func Sum(n int) (x int) {
	for i := range n {
		x = x*31 + i
	}
	return x
}

// Long is a larger function than Sum.
//
//go:noinline
func Long(xs []int) (n int) {
	for i := range xs {
		for j := range xs {
			if n += xs[i] * xs[j]; n > 100 {
				n /= 3
			} else {
				n ^= 7 * n
			}
		}
	}
	return n
}
