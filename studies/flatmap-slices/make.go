package flatmapslices

import "context"

// FlatMapper makes any number of items of one, the published signature. The
// slice is the caller's.
type FlatMapper[IN, OUT any] func(Result[IN]) ([]Result[OUT], error)

// FlatMap returns a FlatMapper that calls f and wraps each of its values. The
// slice that f returns and the slice of Results are both new for each item.
func FlatMap[IN, OUT any](f func(IN) ([]OUT, error)) FlatMapper[IN, OUT] {
	return func(in Result[IN]) ([]Result[OUT], error) {
		values, err := call(f, in)
		if err != nil {
			return nil, err
		}
		results := newSlice[Result[OUT]](len(values))
		for i, v := range values {
			results[i] = Ok(v)
		}
		return results, nil
	}
}

// Make is the arm make: the published stage.
func Make[IN, OUT any](f func(IN) ([]OUT, error)) Stage[IN, OUT] {
	mapper := FlatMap(f)
	return func(ctx context.Context, in <-chan Result[IN]) <-chan Result[OUT] {
		return stage(ctx, in, func(in Result[IN], out *output[OUT]) {
			results, err := mapper(in)
			if err != nil {
				out.send(Err[OUT](err))
				return
			}
			out.sendAll(results)
		})
	}
}
