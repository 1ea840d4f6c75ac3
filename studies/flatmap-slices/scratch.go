package flatmapslices

import "context"

// Scratch is the arm scratch: f appends to dst and returns it, and dst is one
// slice that the stage owns. So f must keep neither dst nor its result. The
// slice belongs to one run: a slice of the Stage would be shared by all runs.
func Scratch[IN, OUT any](f func(dst []OUT, in IN) ([]OUT, error)) Stage[IN, OUT] {
	return func(ctx context.Context, in <-chan Result[IN]) <-chan Result[OUT] {
		var scratch []OUT
		appendTo := func(in IN) ([]OUT, error) { return f(scratch, in) }
		return stage(ctx, in, func(in Result[IN], out *output[OUT]) {
			values, err := call(appendTo, in)
			if err != nil {
				// f may have appended before it failed.
				clear(scratch[:cap(scratch)])
				out.send(Err[OUT](err))
				return
			}
			out.sendValues(values)
			scratch = values
			empty(&scratch)
		})
	}
}
