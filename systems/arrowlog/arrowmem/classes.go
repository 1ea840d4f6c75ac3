package arrowmem

import "math/bits"

// The classes of blocks that do not lie on the Go heap: 64, 128, 192 and 256
// bytes, then four for each doubling, up to 64 MiB. All are multiples of 64. A
// request above 256 bytes gets less than 1.25 times what it asks for.
const (
	classes      = 76
	largestClass = 64 << 20
)

// classOf returns the smallest class that holds size bytes, which must be
// between 1 and largestClass.
func classOf(size int) int {
	if size <= 256 {
		return (size - 1) / alignment
	}
	m := uint(size - 1)
	e := bits.Len(m) - 1 // the power of two below
	quarter := int(m>>(e-2)) & 3
	return 4 + 4*(e-8) + quarter
}

// classSize returns the size of a class in bytes.
func classSize(class int) int {
	if class < 4 {
		return (class + 1) * alignment
	}
	e := 8 + (class-4)/4
	quarter := class & 3
	return 1<<e + (quarter+1)<<(e-2)
}
