package flow

import (
	"context"
	"errors"
	"fmt"
)

// DefaultSize is the number of values that a batch holds at most, unless
// [Stream.Size] says otherwise.
const DefaultSize = 256

// Stream describes a sequence of values, and of errors among them, that a sink
// runs. It must be made by one of the functions of this package; the methods of
// the zero value panic. A Stream is not changed once it is made, may be copied, and
// is safe for concurrent use: each run has its own batches.
type Stream[T any] struct {
	// run sends batches to down until the stream ends or down returns an error,
	// which run then returns. It calls down on the goroutine that called run, and
	// has ended all other goroutines when it returns.
	run  func(r *run, down func(*batch[T]) error) error
	node *node
	// lent says that values may refer to memory which is theirs only for the time of
	// a call of down. own then replaces each value by a copy that lives as long as it
	// is used; it is nil if the package cannot know how to copy a T.
	lent bool
	own  func([]T)
}

// run is the state that the stages of one run share, and what differs from one stretch of
// the pipeline to another. It is not changed once a stage has seen it.
type run struct {
	ctx   context.Context
	size  int // values in a batch
	watch *Watch
	pulse *pulse
}

// newRun begins a run at a sink. end must be called when it has ended.
func newRun(ctx context.Context) (r *run, end func(), err error) {
	if ctx == nil {
		return nil, nil, errors.New("flow: the context is nil; pass context.Background() if there is none")
	}
	p, end := newPulse(ctx)
	return &run{ctx: ctx, size: DefaultSize, pulse: p}, end, nil
}

// with returns a copy of r with another context.
func (r *run) with(ctx context.Context) *run {
	c := *r
	c.ctx = ctx
	return &c
}

// cancelable returns a copy of r whose context ends when cancel is called. Stages see
// that within one item.
func (r *run) cancelable() (c *run, cancel context.CancelFunc) {
	ctx, end := context.WithCancel(r.ctx)
	return r.with(ctx), func() {
		end()
		r.pulse.wake()
	}
}

// ended returns why the context ended, nil if it has not. Sources ask before each
// batch.
func (r *run) ended() error {
	if r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	return nil
}

// start runs s, and has the run's Watch count what it sends.
func (s Stream[T]) start(r *run, down func(*batch[T]) error) error {
	if r.watch == nil {
		return s.run(r, down)
	}
	return watched(s, r, down)
}

// sink runs s for a sink, which calls values with the values between errors, and failed
// with each error. values must look up before each item that may take long.
func (s Stream[T]) sink(ctx context.Context, values func(*look, []T) error, failed func(error) error) error {
	s.check()
	r, end, err := newRun(ctx)
	if err != nil {
		return err
	}
	defer end()
	l := newLook(r)
	some := func(in []T) error { return values(&l, in) }
	return s.start(r, func(b *batch[T]) error {
		if l.due() {
			if err := l.up(); err != nil {
				return err
			}
		}
		return b.walk(some, failed)
	})
}

// check panics if s is the zero value.
func (s Stream[T]) check() {
	if s.run == nil {
		panic("flow: the Stream is the zero value; make one by FromSlice, FromSeq or another source")
	}
}

// Size returns s with batches of up to n values in all stages before this place,
// back to their sources or to another Size. A smaller size means less memory if values
// are large, and less work to do when a later stage stops; each batch costs some tens of
// nanoseconds a stage. It panics if n is not positive, or more than 1<<20.
func (s Stream[T]) Size(n int) Stream[T] {
	s.check()
	within("Size", "n", n, 1)
	return Stream[T]{node: s.node, lent: s.lent, own: s.own, run: func(r *run, down func(*batch[T]) error) error {
		sized := *r
		sized.size = n
		return s.run(&sized, down)
	}}
}

// Name returns s with another name for its last stage, in [Describe] and in
// [StageStats].
func (s Stream[T]) Name(name string) Stream[T] {
	s.check()
	s.node = s.node.named(name)
	return s
}

// need panics if a function that a stage cannot do without is nil.
func need(stage, argument string, isNil bool) {
	if isNil {
		panic(fmt.Sprintf("flow: %s: %s is nil", stage, argument))
	}
}

// most bounds what a stage makes room for: values of a batch, batches, workers.
const most = 1 << 20

// within panics if a number that a stage makes room for is too small or too large.
func within(stage, argument string, n, least int) {
	atLeast(stage, argument, n, least)
	if n > most {
		panic(fmt.Sprintf("flow: %s: %s is %d; it must be at most %d", stage, argument, n, most))
	}
}

// atLeast panics if a number is too small.
func atLeast(stage, argument string, n, least int) {
	if n < least {
		panic(fmt.Sprintf("flow: %s: %s is %d; it must be at least %d", stage, argument, n, least))
	}
}

// stop is the error by which a stage or a sink that has enough ends what comes
// before it. Each run has its own, so that it is known by its address.
type stop struct{ _ byte }

func (*stop) Error() string { return "flow: the stream was stopped by a later stage" }

// stopped returns nil if err is s, else err.
func stopped(err error, s *stop) error {
	if err == error(s) {
		return nil
	}
	return err
}
