package flatmapslices

import (
	"sync"

	"github.com/poolproof/poolproof/pool"
)

// Ints are the isolated arms for slices of ints: n slices of fan elements, one
// after the other, each filled and summed by functions that are not inlined.
// The slice is all that they measure, so they say what it costs and not what
// it costs in a program. An Ints must not be used concurrently.
type Ints struct {
	slices  *pool.Pool[[]int]
	bare    sync.Pool
	scratch []int
}

// NewInts returns an Ints whose pool and scratch slice are empty.
func NewInts() *Ints {
	return &Ints{
		slices: pool.New(pool.Options[[]int]{Reset: empty[int]}),
		bare:   sync.Pool{New: func() any { return new([]int) }},
	}
}

// Make is the isolated arm make: a new slice each time.
func (s *Ints) Make(n, fan int) (sum int) {
	for x := range n {
		out := newSlice[int](fan)
		fillInts(out, x)
		sum += sumInts(out)
	}
	return sum
}

// Pool is the isolated arm pool.
func (s *Ints) Pool(n, fan int) (sum int) {
	for x := range n {
		out := s.slices.Get()
		*out = resize(*out, fan)
		fillInts(*out, x)
		sum += sumInts(*out)
		s.slices.Put(out)
	}
	return sum
}

// SyncPool is the isolated arm syncpool.
func (s *Ints) SyncPool(n, fan int) (sum int) {
	for x := range n {
		out := s.bare.Get().(*[]int)
		*out = resize(*out, fan)
		fillInts(*out, x)
		sum += sumInts(*out)
		empty(out)
		s.bare.Put(out)
	}
	return sum
}

// Stack is the isolated arm stack: an array of the frame, or a new slice where
// it is too short.
func (s *Ints) Stack(n, fan int) (sum int) {
	for x := range n {
		var frame [Frame]int
		out := inFrame(frame[:], fan)
		fillInts(out, x)
		sum += sumInts(out)
	}
	return sum
}

// Scratch is the isolated arm scratch: one slice for all.
func (s *Ints) Scratch(n, fan int) (sum int) {
	for x := range n {
		s.scratch = resize(s.scratch, fan)
		fillInts(s.scratch, x)
		sum += sumInts(s.scratch)
		empty(&s.scratch)
	}
	return sum
}

//go:noinline
func fillInts(out []int, x int) {
	for i := range out {
		out[i] = x*len(out) + i
	}
}

//go:noinline
func sumInts(in []int) (sum int) {
	for _, v := range in {
		sum += v
	}
	return sum
}
