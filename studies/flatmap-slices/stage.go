package flatmapslices

import "context"

// Buffer is the capacity of each channel, in items, as published.
const Buffer = 64

// Stage is one step of a pipeline. It starts a goroutine, which ends, closing
// the channel that Stage returned, when in is closed or ctx ends. A Stage may
// be used again and by several goroutines at once.
type Stage[IN, OUT any] func(ctx context.Context, in <-chan Result[IN]) <-chan Result[OUT]

// output is where the goroutine of a stage sends its items.
type output[OUT any] struct {
	ctx   context.Context
	items chan Result[OUT]
	ended bool // the context ended before an item could be sent
}

// send sends r, or gives up when the context ends. It reports whether the
// stage shall go on.
func (o *output[OUT]) send(r Result[OUT]) bool {
	select {
	case <-o.ctx.Done():
		o.ended = true
	case o.items <- r:
	}
	return !o.ended
}

// sendAll sends results until the context ends.
func (o *output[OUT]) sendAll(results []Result[OUT]) {
	for _, r := range results {
		if !o.send(r) {
			return
		}
	}
}

// sendValues wraps values and sends them until the context ends.
func (o *output[OUT]) sendValues(values []OUT) {
	for _, v := range values {
		if !o.send(Ok(v)) {
			return
		}
	}
}

// stage starts the goroutine of a stage. It calls item for each value and each
// error, one after the other, and item sends what it makes of it. Sentinels
// are passed on.
func stage[IN, OUT any](ctx context.Context, in <-chan Result[IN], item func(in Result[IN], out *output[OUT])) <-chan Result[OUT] {
	out := &output[OUT]{ctx: ctx, items: make(chan Result[OUT], Buffer)}
	go func() {
		defer close(out.items)
		for r := range in {
			if r.sentinel {
				out.send(Sentinel[OUT](r.err))
			} else {
				item(r, out)
			}
			if out.ended {
				return
			}
		}
	}()
	return out.items
}

// call runs the user's function on one item. An item that has failed before,
// an error and a panic come back as err.
func call[IN, T any](f func(IN) (T, error), in Result[IN]) (t T, err error) {
	defer recovered(&err)
	if in.err != nil {
		return t, in.err
	}
	return f(in.value)
}

// Source returns a channel on which a goroutine sends items. The goroutine
// ends, closing the channel, after the last item or when ctx ends.
func Source[T any](ctx context.Context, items []Result[T]) <-chan Result[T] {
	out := &output[T]{ctx: ctx, items: make(chan Result[T], Buffer)}
	go func() {
		defer close(out.items)
		out.sendAll(items)
	}()
	return out.items
}

// Drain receives until in is closed and returns the sum of the values and the
// number of failed items.
func Drain(in <-chan Result[int]) (sum, failed int) {
	for r := range in {
		if r.err != nil {
			failed++
			continue
		}
		sum += r.value
	}
	return sum, failed
}
