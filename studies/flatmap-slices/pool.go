package flatmapslices

import (
	"context"

	"github.com/poolproof/poolproof/pool"
)

// Pool is the arm pool: the slice of Results comes from a pool, and goes back
// when all of them are sent. The pool belongs to the stage, because a generic
// function has no package variable of its own for each of its types; it
// serves all runs of the stage.
func Pool[IN, OUT any](f func(IN) ([]OUT, error)) Stage[IN, OUT] {
	// Without Reset the pool would keep alive what the last items refer to.
	slices := pool.New(pool.Options[[]Result[OUT]]{Reset: empty[Result[OUT]]})
	return func(ctx context.Context, in <-chan Result[IN]) <-chan Result[OUT] {
		return stage(ctx, in, func(in Result[IN], out *output[OUT]) {
			values, err := call(f, in)
			if err != nil {
				out.send(Err[OUT](err))
				return
			}
			results := slices.Get()
			*results = resize(*results, len(values))
			for i, v := range values {
				(*results)[i] = Ok(v)
			}
			out.sendAll(*results)
			slices.Put(results)
		})
	}
}
