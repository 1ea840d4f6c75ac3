package flatmapslices

import (
	"context"
	"iter"
)

// IterFlatMapSlice returns an IterFlatMapper that wraps each value of f's slice: the
// second published form of an iterator.
func IterFlatMapSlice[IN, OUT any](f func(IN) ([]OUT, error)) IterFlatMapper[IN, OUT] {
	return func(in Result[IN]) iter.Seq[Result[OUT]] {
		return func(yield func(Result[OUT]) bool) {
			values, err := call(f, in)
			if err != nil {
				yield(Err[OUT](err))
				return
			}
			yieldSlice(values, yield)
		}
	}
}

// yieldSlice wraps and yields values.
func yieldSlice[OUT any](values []OUT, yield func(Result[OUT]) bool) {
	for _, v := range values {
		if !yield(Ok(v)) {
			return
		}
	}
}

// IterSlice is the arm iterslice: the published iterator stage around it. It notes in a
// variable that the loop was left, as published: the loop's body is a function that the
// iterator calls, so the variable is allocated too.
func IterSlice[IN, OUT any](f func(IN) ([]OUT, error)) Stage[IN, OUT] {
	mapper := IterFlatMapSlice(f)
	return func(ctx context.Context, in <-chan Result[IN]) <-chan Result[OUT] {
		return stage(ctx, in, func(in Result[IN], out *output[OUT]) {
			cancelled := false
			for r := range mapper(in) {
				if !out.send(r) {
					cancelled = true
					return
				}
			}
			if cancelled {
				return
			}
		})
	}
}
