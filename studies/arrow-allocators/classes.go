package arrowallocators

import "math/bits"

// The size classes of the recycling allocators, in bytes. All are multiples of
// 64, which is what Arrow asks for, so that memory of a class is aligned to 64
// where the Go runtime or the kernel puts it. Up to 256 there is one class for
// each multiple, above it four for each doubling: less than a quarter of a
// block is wasted.
const (
	alignment = 64
	linear    = 256      // the last class of the first kind
	maxClass  = 64 << 20 // the largest class; what is larger is never kept
	classes   = linear/alignment + 4*(26-8)
)

// classOf returns the smallest class that holds n bytes, from 1 to maxClass.
func classOf(n int) (class int, ok bool) {
	switch {
	case n <= 0 || n > maxClass:
		return 0, false
	case n <= linear:
		return (n - 1) / alignment, true
	}
	e := bits.Len(uint(n-1)) - 1 // 2^e < n <= 2^(e+1)
	quarter := (n - 1) >> (e - 2) & 3
	return linear/alignment + 4*(e-8) + quarter, true
}

// classSize returns the size of a class in bytes.
func classSize(class int) int {
	if class < linear/alignment {
		return (class + 1) * alignment
	}
	class -= linear / alignment
	e, quarter := 8+class/4, class%4
	return 1<<e + (quarter+1)<<(e-2)
}
