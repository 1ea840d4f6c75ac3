package flatmapslices

import "context"

// item64 and item512 are items of as many bytes. What is summed is their first word.
type (
	item64  [8]int
	item512 [64]int
)

// shape is a size of items and a number of outputs for each input.
type shape struct {
	name string
	arms []pipelineArm
	sum  int
}

var shapes = []shape{
	shapeOf[int]("item=8/fan=1", 1, word, unword), shapeOf[int]("item=8/fan=100", 100, word, unword),
	shapeOf[item64]("item=64/fan=1", 1, word64, unword64), shapeOf[item64]("item=64/fan=5", 5, word64, unword64),
	shapeOf[item64]("item=64/fan=100", 100, word64, unword64),
	shapeOf[item512]("item=512/fan=1", 1, word512, unword512), shapeOf[item512]("item=512/fan=5", 5, word512, unword512),
	shapeOf[item512]("item=512/fan=100", 100, word512, unword512),
}

func word(v int) int          { return v }
func unword(v int) int        { return v }
func word64(v int) item64     { return item64{v} }
func unword64(v item64) int   { return v[0] }
func word512(v int) item512   { return item512{v} }
func unword512(v item512) int { return v[0] }

// shapeOf returns a shape with the arms that the others are about: a new slice, the
// bare pool, a slice of the stage's own, and a stream.
func shapeOf[T any](name string, fan int, item func(int) T, number func(T) int) shape {
	makes := func(x int) ([]T, error) {
		out := make([]T, fan)
		for i := range out {
			out[i] = item(x*fan + i)
		}
		return out, nil
	}
	appends := func(dst []T, x int) ([]T, error) {
		for i := range fan {
			dst = append(dst, item(x*fan+i))
		}
		return dst, nil
	}
	drain := func(in <-chan Result[T]) (sum, failed int) {
		for r := range in {
			if r.err != nil {
				failed++
				continue
			}
			sum += number(r.value)
		}
		return sum, failed
	}
	channels := func(name string, s Stage[int, T]) pipelineArm {
		return pipelineArm{name, func(ctx context.Context) (sum, failed int) {
			return drain(s(ctx, Source(ctx, pipelineInput)))
		}}
	}
	stream := Flow(Items(pipelineInput), appends)
	streams := func(ctx context.Context) (sum, failed int) {
		err := stream.Each(ctx, func(v T, err error) error {
			if err != nil {
				failed++
				return nil
			}
			sum += number(v)
			return nil
		})
		if err != nil {
			failed++
		}
		return sum, failed
	}
	outputs := inputs * fan
	return shape{name, []pipelineArm{
		channels("make", Make(makes)), channels("syncpool", SyncPool(makes)), channels("scratch", Scratch(appends)), {"flow", streams},
	}, outputs * (outputs - 1) / 2}
}
