package flowpeers

import (
	"context"

	"github.com/poolproof/poolproof/systems/flow"
)

// pipeline is the stages, with between at each place where a goroutine could begin.
func pipeline(between func(flow.Stream[int]) flow.Stream[int]) flow.Stream[int] {
	doubled := between(flow.Map(between(flow.FromSlice(inputs)), double))
	return between(between(flow.FlatMap(doubled, appendFive)).Filter(keep))
}

func fused(s flow.Stream[int]) flow.Stream[int] { return s }
func async(s flow.Stream[int]) flow.Stream[int] { return s.Async(4) }

func stream(s flow.Stream[int]) func(context.Context) (Outcome, error) {
	return func(ctx context.Context) (Outcome, error) {
		var o Outcome
		err := s.Each(ctx, func(v int, err error) error {
			if err != nil {
				o.failed()
				return nil
			}
			o.value(v)
			return nil
		})
		return o, err
	}
}

func withSlices() flow.Stream[int] {
	return flow.FlatMapSlice(flow.Map(flow.FromSlice(inputs), double), five).Filter(keep)
}

func ours() []Peer {
	return []Peer{
		{Name: "flow", What: "fused", Places: true, Run: stream(pipeline(fused))},
		{Name: "flow-slices", What: "fused; the flat map returns slices", Places: true, Run: stream(withSlices())},
		{Name: "flow-watched", What: "fused, with a Watch", Places: true, Run: stream(pipeline(fused).Watch(flow.NewWatch("")))},
		{Name: "flow-one-async", What: "one boundary, before the sink", Places: true, Run: stream(pipeline(fused).Async(4))},
		{Name: "flow-async", What: "a goroutine a stage, batches of 256", Places: true, Run: stream(pipeline(async))},
		{Name: "flow-async-64", What: "a goroutine a stage, batches of 64", Places: true, Run: stream(pipeline(async).Size(64))},
	}
}
