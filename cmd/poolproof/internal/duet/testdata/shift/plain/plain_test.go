package plain

import "testing"

func BenchmarkSum(b *testing.B) {
	for b.Loop() {
		Sum(100)
		Long([]int{1, 2, 3})
	}
}
