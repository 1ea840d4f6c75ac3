// Package whole holds questions about the whole cost of an operation: pairs of
// ways to do one job of which a part is rare, parallel, or the same. The campaign
// asks each pair, and compares the answer with long runs or with what the pair was
// built to differ by. The files of its kinds say what they hold.
package whole

// Spin does steps dependent multiplications and additions, about a nanosecond
// and a third each. Both ways of a pair call the same function, so that code
// layout is the same for both.
//
//go:noinline
func Spin(steps int, x uint64) uint64 {
	for range steps {
		x = x*6364136223846793005 + 1442695040888963407
	}
	return x
}
