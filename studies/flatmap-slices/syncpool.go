package flatmapslices

import (
	"context"
	"sync"
)

// SyncPool is the arm syncpool: the arm pool with a bare sync.Pool, which is what
// was published about. It holds pointers to slices: a slice in an interface would be
// allocated at each Put.
func SyncPool[IN, OUT any](f func(IN) ([]OUT, error)) Stage[IN, OUT] {
	slices := &sync.Pool{New: func() any { return new([]Result[OUT]) }}
	return func(ctx context.Context, in <-chan Result[IN]) <-chan Result[OUT] {
		return stage(ctx, in, func(in Result[IN], out *output[OUT]) {
			values, err := call(f, in)
			if err != nil {
				out.send(Err[OUT](err))
				return
			}
			results := slices.Get().(*[]Result[OUT])
			*results = resize(*results, len(values))
			for i, v := range values {
				(*results)[i] = Ok(v)
			}
			out.sendAll(*results)
			empty(results)
			slices.Put(results)
		})
	}
}
