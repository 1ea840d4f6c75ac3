package flatmapslices

import (
	"sync"

	"github.com/poolproof/poolproof/pool"
)

// Results are the isolated arms for slices of Results, which are four times as
// large as ints and hold pointers. Otherwise they are as Ints. The two are
// written out, because a generic method would fill and sum through a
// dictionary, and the compiler must take it that such a call keeps the slice:
// the arm stack would lose its stack.
type Results struct {
	slices  *pool.Pool[[]Result[int]]
	bare    sync.Pool
	scratch []Result[int]
}

// NewResults returns a Results whose pool and scratch slice are empty.
func NewResults() *Results {
	return &Results{
		slices: pool.New(pool.Options[[]Result[int]]{Reset: empty[Result[int]]}),
		bare:   sync.Pool{New: func() any { return new([]Result[int]) }},
	}
}

// Make is the isolated arm make: a new slice each time.
func (s *Results) Make(n, fan int) (sum int) {
	for x := range n {
		out := newSlice[Result[int]](fan)
		fillResults(out, x)
		sum += sumResults(out)
	}
	return sum
}

// Pool is the isolated arm pool.
func (s *Results) Pool(n, fan int) (sum int) {
	for x := range n {
		out := s.slices.Get()
		*out = resize(*out, fan)
		fillResults(*out, x)
		sum += sumResults(*out)
		s.slices.Put(out)
	}
	return sum
}

// SyncPool is the isolated arm syncpool.
func (s *Results) SyncPool(n, fan int) (sum int) {
	for x := range n {
		out := s.bare.Get().(*[]Result[int])
		*out = resize(*out, fan)
		fillResults(*out, x)
		sum += sumResults(*out)
		empty(out)
		s.bare.Put(out)
	}
	return sum
}

// Stack is the isolated arm stack: an array of the frame, or a new slice where
// it is too short.
func (s *Results) Stack(n, fan int) (sum int) {
	for x := range n {
		var frame [Frame]Result[int]
		out := inFrame(frame[:], fan)
		fillResults(out, x)
		sum += sumResults(out)
	}
	return sum
}

// Scratch is the isolated arm scratch: one slice for all.
func (s *Results) Scratch(n, fan int) (sum int) {
	for x := range n {
		s.scratch = resize(s.scratch, fan)
		fillResults(s.scratch, x)
		sum += sumResults(s.scratch)
		empty(&s.scratch)
	}
	return sum
}

//go:noinline
func fillResults(out []Result[int], x int) {
	for i := range out {
		out[i] = Ok(x*len(out) + i)
	}
}

//go:noinline
func sumResults(in []Result[int]) (sum int) {
	for _, v := range in {
		sum += v.value
	}
	return sum
}
