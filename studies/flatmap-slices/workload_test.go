package flatmapslices

import (
	"iter"
	"slices"
)

const (
	inputs      = 1000 // of an operation
	fan         = 5    // outputs of an input in the pipeline
	isolatedFan = 10   // elements of a slice of the isolated benchmarks, as published

	// The outputs are 0, 1, 2, ... in both.
	pipelineSum = inputs * fan * (inputs*fan - 1) / 2
	isolatedSum = inputs * isolatedFan * (inputs*isolatedFan - 1) / 2
)

var pipelineInput = func() []Result[int] {
	items := make([]Result[int], inputs)
	for i := range items {
		items[i] = Ok(i)
	}
	return items
}()

var pipelineArms = []struct {
	name  string
	stage Stage[int, int]
}{
	{"make", Make(expand)},
	{"pool", Pool(expand)},
	{"direct", Direct(expand)},
	{"stack", Stack(expand)},
	{"scratch", Scratch(appendExpand)},
	{"iter", Iter(expandSeq)},
	{"iterlib", IterLib(expandSeq)},
}

// The user's functions of the benchmarks. They are not inlined: where they
// were, the compiler would see the whole of an arm at once and could take away
// allocations that every real stage, behind its function value, has.

//go:noinline
func expand(x int) ([]int, error) {
	out := make([]int, fan)
	for i := range out {
		out[i] = x*fan + i
	}
	return out, nil
}

//go:noinline
func appendExpand(dst []int, x int) ([]int, error) {
	dst = slices.Grow(dst, fan)
	for i := range fan {
		dst = append(dst, x*fan+i)
	}
	return dst, nil
}

//go:noinline
func expandSeq(x int) (iter.Seq[int], error) {
	return func(yield func(int) bool) {
		for i := range fan {
			if !yield(x*fan + i) {
				return
			}
		}
	}, nil
}

type isolatedArm struct {
	name string
	run  func(n, fan int) (sum int)
}

var (
	ints          = NewInts()
	results       = NewResults()
	isolatedItems = []struct {
		name string
		arms []isolatedArm
	}{
		{"int", []isolatedArm{
			{"make", ints.Make}, {"pool", ints.Pool}, {"stack", ints.Stack}, {"scratch", ints.Scratch},
		}},
		{"result", []isolatedArm{
			{"make", results.Make}, {"pool", results.Pool}, {"stack", results.Stack}, {"scratch", results.Scratch},
		}},
	}
)
