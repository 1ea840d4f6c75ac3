// Package orderedjsonpublished re-creates the benchmark from which "the pool
// is 78 times as fast" was published, so that poolproof can be seen to reject
// it.
//
// A buffer of 4 KiB is made, 59 bytes are written to it, and it is dropped: by
// the form fresh with make, by the form pool with a pool. The buffer does not
// leave its function, so the compiler keeps all of it on the stack: there is
// nothing for a pool to save. When it was published, the buffer was on the
// heap, because Go 1.24 and 1.25 did not inline calls in the body of a b.Loop,
// bytes.NewBuffer among them; Go 1.26 does (golang/go#73137). So the benchmark
// measured what a benchmark did to its buffer.
//
// The study ordered-json-lent asks the question of a buffer that has to be on
// the heap, the study ordered-json that of the real path.
package orderedjsonpublished
