package flatmapslices

import "context"

// Direct is the arm direct: no slice of Results, each value is wrapped and sent
// at once.
func Direct[IN, OUT any](f func(IN) ([]OUT, error)) Stage[IN, OUT] {
	return func(ctx context.Context, in <-chan Result[IN]) <-chan Result[OUT] {
		return stage(ctx, in, func(in Result[IN], out *output[OUT]) {
			values, err := call(f, in)
			if err != nil {
				out.send(Err[OUT](err))
				return
			}
			out.sendValues(values)
		})
	}
}
