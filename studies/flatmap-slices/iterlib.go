package flatmapslices

import (
	"context"
	"iter"
)

// IterFlatMapper makes a sequence of items of one, the published signature.
type IterFlatMapper[IN, OUT any] func(Result[IN]) iter.Seq[Result[OUT]]

// IterFlatMap returns an IterFlatMapper that wraps each value of f's iterator.
// The error of f is ours, so that all arms can be held to the same results;
// the published f returns the iterator alone.
func IterFlatMap[IN, OUT any](f func(IN) (iter.Seq[OUT], error)) IterFlatMapper[IN, OUT] {
	return func(in Result[IN]) iter.Seq[Result[OUT]] {
		return func(yield func(Result[OUT]) bool) {
			if in.err != nil {
				yield(Err[OUT](in.err))
				return
			}
			if err := yieldValues(f, in.value, yield); err != nil {
				yield(Err[OUT](err))
			}
		}
	}
}

// yieldValues wraps and yields the values of f's iterator for in. An error or
// a panic of f or its iterator comes back as err. As in the published form, an
// iterator that panics after yield has told it to stop ends the program. Both
// loops of this file are left by return, as published: break would save one
// allocation of the seven.
func yieldValues[IN, OUT any](f func(IN) (iter.Seq[OUT], error), in IN, yield func(Result[OUT]) bool) (err error) {
	defer recovered(&err)
	values, err := f(in)
	if err != nil {
		return err
	}
	for v := range values {
		if !yield(Ok(v)) {
			return nil
		}
	}
	return nil
}

// IterLib is the arm iterlib: the published iterator stage.
func IterLib[IN, OUT any](f func(IN) (iter.Seq[OUT], error)) Stage[IN, OUT] {
	mapper := IterFlatMap(f)
	return func(ctx context.Context, in <-chan Result[IN]) <-chan Result[OUT] {
		return stage(ctx, in, func(in Result[IN], out *output[OUT]) {
			for r := range mapper(in) {
				if !out.send(r) {
					return
				}
			}
		})
	}
}
