package flatmapslices

import "context"

// Stack is the arm stack: up to Frame Results are collected in an array of the
// frame of the function that sends them, more than that in a new slice.
func Stack[IN, OUT any](f func(IN) ([]OUT, error)) Stage[IN, OUT] {
	return func(ctx context.Context, in <-chan Result[IN]) <-chan Result[OUT] {
		return stage(ctx, in, func(in Result[IN], out *output[OUT]) {
			values, err := call(f, in)
			if err != nil {
				out.send(Err[OUT](err))
				return
			}
			var frame [Frame]Result[OUT]
			results := inFrame(frame[:], len(values))
			for i, v := range values {
				results[i] = Ok(v)
			}
			out.sendAll(results)
		})
	}
}
