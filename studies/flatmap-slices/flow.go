package flatmapslices

import (
	"context"

	"github.com/poolproof/poolproof/studies/flatmap-slices/results"
	"github.com/poolproof/poolproof/systems/flow"
)

// The arms of this file do without the channel of Results: package flow sends
// batches, on one goroutine or over boundaries that the pipeline asks for. They are
// whole pipelines, as there is no channel that they could share with the others.

// Items returns the stream of items.
func Items[T any](items []Result[T]) flow.Stream[T] {
	return flow.Map(flow.FromSlice(items), func(r Result[T]) (T, error) {
		if r.sentinel {
			return r.value, &results.Mark{Err: r.err}
		}
		return r.value, r.err
	})
}

// DrainStream runs s and returns the sum of the values and the number of failed
// items. A fatal error is one.
func DrainStream(ctx context.Context, s flow.Stream[int]) (sum, failed int) {
	err := s.Each(ctx, func(v int, err error) error {
		if err != nil {
			failed++
			return nil
		}
		sum += v
		return nil
	})
	if err != nil {
		failed++
	}
	return sum, failed
}

// FlowSlice is the arm flowslice: the user's function of make, fused with its source
// and its sink.
func FlowSlice[IN, OUT any](in flow.Stream[IN], f func(IN) ([]OUT, error)) flow.Stream[OUT] {
	return flow.FlatMapSlice(in, f)
}

// Flow is the arm flow: the user's function of scratch, fused.
func Flow[IN, OUT any](in flow.Stream[IN], f func(dst []OUT, in IN) ([]OUT, error)) flow.Stream[OUT] {
	return flow.FlatMap(in, f)
}

// FlowAsync is the arm flowasync: the same with the goroutines of the published
// pipeline, one for the source, one for the stage and one for the sink, and batches
// between them.
func FlowAsync[IN, OUT any](in flow.Stream[IN], f func(dst []OUT, in IN) ([]OUT, error)) flow.Stream[OUT] {
	return flow.FlatMap(in.Async(asyncDepth), f).Async(asyncDepth)
}

// asyncDepth is how many batches wait at a boundary.
const asyncDepth = 4

// FlowMapper is the arm flowmapper: the published signature as a stage of a stream.
func FlowMapper[IN, OUT any](in flow.Stream[IN], f func(IN) ([]OUT, error)) flow.Stream[OUT] {
	return results.FlatMap(f).Apply(in)
}
