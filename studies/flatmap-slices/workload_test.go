package flatmapslices

import (
	"context"
	"iter"
	"slices"

	"github.com/poolproof/poolproof/systems/flow"
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

type pipelineArm struct {
	name string
	// run is one operation: source, flat map and drain.
	run func(ctx context.Context) (sum, failed int)
}

// channels is an arm of goroutines and channels, which differ in their stage.
func channels(name string, s Stage[int, int]) pipelineArm {
	return pipelineArm{name, func(ctx context.Context) (sum, failed int) {
		return Drain(s(ctx, Source(ctx, pipelineInput)))
	}}
}

// streams is an arm of package flow.
func streams(name string, s flow.Stream[int]) pipelineArm {
	return pipelineArm{name, func(ctx context.Context) (sum, failed int) { return DrainStream(ctx, s) }}
}

var pipelineArms = []pipelineArm{
	channels("make", Make(expand)),
	channels("pool", Pool(expand)),
	channels("syncpool", SyncPool(expand)),
	channels("direct", Direct(expand)),
	channels("stack", Stack(expand)),
	channels("scratch", Scratch(appendExpand)),
	channels("iter", Iter(expandSeq)),
	channels("iterlib", IterLib(expandSeq)),
	channels("iterslice", IterSlice(expand)),
	streams("flow", Flow(Items(pipelineInput), appendExpand)),
	streams("flowslice", FlowSlice(Items(pipelineInput), expand)),
	streams("flowasync", FlowAsync(Items(pipelineInput), appendExpand)),
	streams("flowmapper", FlowMapper(Items(pipelineInput), expand)),
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
	resultSlices  = NewResults()
	isolatedItems = []struct {
		name string
		arms []isolatedArm
	}{
		{"int", []isolatedArm{
			{"make", ints.Make}, {"pool", ints.Pool}, {"syncpool", ints.SyncPool}, {"stack", ints.Stack}, {"scratch", ints.Scratch},
		}},
		{"result", []isolatedArm{
			{"make", resultSlices.Make}, {"pool", resultSlices.Pool}, {"syncpool", resultSlices.SyncPool}, {"stack", resultSlices.Stack}, {"scratch", resultSlices.Scratch},
		}},
	}
)
