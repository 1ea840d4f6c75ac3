package flatmapslices

import (
	"context"
	"iter"
)

// Iter is the arm iter: f returns an iterator, and the stage wraps and sends
// each value that it yields. If the iterator panics, the values before the
// panic have been sent.
func Iter[IN, OUT any](f func(IN) (iter.Seq[OUT], error)) Stage[IN, OUT] {
	return func(ctx context.Context, in <-chan Result[IN]) <-chan Result[OUT] {
		return stage(ctx, in, func(in Result[IN], out *output[OUT]) {
			values, err := call(f, in)
			if err != nil {
				out.send(Err[OUT](err))
				return
			}
			if err := out.sendSeq(values); err != nil {
				out.send(Err[OUT](err))
			}
		})
	}
}

// sendSeq wraps and sends what values yields, until the context ends. A panic
// of the iterator comes back as err.
func (o *output[OUT]) sendSeq(values iter.Seq[OUT]) (err error) {
	defer recovered(&err)
	for v := range values {
		if !o.send(Ok(v)) {
			break
		}
	}
	return nil
}
