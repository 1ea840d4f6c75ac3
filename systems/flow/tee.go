package flow

import "context"

// Tee returns s, and gives a copy of it to side, which runs on a goroutine of its
// own, up to depth batches later. What side returns is part of the run: an error
// ends the stream, nil does not, also if side has not taken all of its stream. The
// sink returns when side has. If the stream is stopped early, side sees the end
// there; if it fails, side's context is canceled.
//
// Values that hold pointers are not copied deeply: both sides see the same.
func Tee[T any](s Stream[T], depth int, side func(ctx context.Context, all Stream[T]) error) Stream[T] {
	s.check()
	within("Tee", "depth", depth, 0)
	need("Tee", "side", side == nil)
	s.mayCross("Tee")
	n := newNode("tee", s.node).of(side)
	return Stream[T]{node: n, lent: s.lent, own: s.own, run: func(r *run, down func(*batch[T]) error) error {
		return runTee(r, n, depth, s.own, side, func(t *tee[T]) error {
			return s.start(r, func(b *batch[T]) error {
				if err := t.copy(b); err != nil {
					return err
				}
				return down(b)
			})
		})
	}}
}

// runTee runs main, and side beside it, which gets what main gives to the tee.
func runTee[T any](r *run, n *node, depth int, own func([]T), side func(context.Context, Stream[T]) error, main func(*tee[T]) error) (err error) {
	t := newTee(r, depth, own)
	n.queue(r, func() (int, int) { return len(t.b.full), depth })
	go t.run(n.kind, side)
	returned := false
	defer func() {
		if !returned { // a panic of the sink
			err = errExit
		}
		err = t.end(err)
	}()
	err = main(t)
	returned = true
	return err
}

// tee is one run of Tee or Split. The side is the consumer of its boundary.
type tee[T any] struct {
	b    *boundary[T]
	gone chan struct{} // closed when side has returned
	err  error         // of side; to be read once gone is closed
	ran  once
}

func newTee[T any](r *run, depth int, own func([]T)) *tee[T] {
	return &tee[T]{b: newBoundary(r, depth, 1, own), gone: make(chan struct{})}
}

// run is the goroutine of the side.
func (t *tee[T]) run(kind string, side func(context.Context, Stream[T]) error) {
	t.err = errExit
	defer close(t.gone)
	defer func() {
		if v := recover(); v != nil {
			t.err = newPanicError(v)
		}
	}()
	t.err = side(t.b.r.ctx, Stream[T]{node: newNode(kind, nil), run: func(r *run, down func(*batch[T]) error) error {
		if err := t.ran.begin("the side stream of " + kind); err != nil {
			return err
		}
		defer t.ran.end()
		for {
			select {
			case used, open := <-t.b.full:
				if !open {
					return t.b.fatal()
				}
				err := down(used)
				t.b.recycle(used)
				if err != nil {
					return err
				}
			case <-r.ctx.Done():
				return r.ended()
			}
		}
	}})
}

// copy sends a copy of b to the side, if it is still there.
func (t *tee[T]) copy(b *batch[T]) error {
	select {
	case <-t.gone:
		return t.err
	default:
	}
	to := t.b.take()
	still := *b
	still.moves = false
	still.moveTo(to, t.b.own)
	return t.give(to)
}

// give sends a batch to the side. When the side has returned it returns the side's error:
// without one the batch is dropped.
func (t *tee[T]) give(to *batch[T]) error {
	select {
	case t.b.full <- to:
		return nil
	case <-t.gone:
		return t.err
	case <-t.b.r.ctx.Done():
		return t.b.r.ended()
	}
}

// end ends the side's stream and waits for the side. err is how the stream ended.
func (t *tee[T]) end(err error) error {
	if _, early := err.(*stop); err != nil && !early {
		t.b.ended(err) // cancels the context
		<-t.gone
		return err
	}
	t.b.ended(nil)
	<-t.gone
	t.b.cancel()
	if t.err != nil {
		return t.err
	}
	return err
}
