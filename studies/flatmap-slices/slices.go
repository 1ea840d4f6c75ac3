package flatmapslices

// The functions of this file are what the arms do to a slice, in the pipeline
// and in isolation. Each arm calls its own once for each input, which proves
// that a benchmark ran what it claims to measure.

// newSlice makes the slices of the arm make. The length is not a constant: with one,
// and a slice that does not escape, the compiler would use the stack.
func newSlice[E any](n int) []E { return make([]E, n) }

// resize returns s with length n, in the same memory if that suffices.
func resize[E any](s []E, n int) []E {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]E, n)
}

// empty is how the arms pool and scratch end a use: it drops the references
// that the elements hold and sets the length to 0. The memory stays.
func empty[E any](s *[]E) {
	clear(*s)
	*s = (*s)[:0]
}

// Frame is the length of the array that the arm stack keeps in its frame, in
// elements: the largest number of results that the benchmarks have.
const Frame = 10

// inFrame makes the slices of the arm stack: it returns n elements of frame, or a new
// slice if frame is too short.
func inFrame[E any](frame []E, n int) []E {
	if n <= len(frame) {
		return frame[:n]
	}
	return make([]E, n)
}
