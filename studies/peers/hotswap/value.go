package hotswappeers

// Words is a value of one of the sizes that are compared. The arms are generic in
// it, and not written for a slice, so that a read is one load at a fixed place
// from the pointer that the arm hands out.
type Words interface {
	B64 | KiB | KiB64
}

type (
	// B64 is one cache line.
	B64 [8]uint64
	// KiB is a small structure.
	KiB [128]uint64
	// KiB64 is a table.
	KiB64 [8192]uint64
)

// fill is the writing of a whole value. Not inlined, so that its loop exists
// once: copies of it at other addresses would differ in speed.
//
//go:noinline
func fill[V Words](v *V, n uint64) {
	for i := range len(*v) {
		(*v)[i] = n
	}
}
