package flow

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"
	"time"
)

// FromSlice returns the stream of the elements of s, which must not be changed
// while the stream runs. It can be run any number of times.
func FromSlice[T any](s []T) Stream[T] {
	return Stream[T]{node: newNode("slice", nil).with("of %d %T", len(s), *new(T)), run: func(r *run, down func(*batch[T]) error) error {
		rest := s
		var b batch[T]
		for len(rest) > 0 {
			if err := r.ended(); err != nil {
				return err
			}
			n := min(len(rest), r.size)
			b.v = rest[:n:n]
			if err := down(&b); err != nil {
				return err
			}
			rest = rest[n:]
		}
		return nil
	}}
}

// FromSeq returns the stream of the values of seq. It can be run as often as seq
// can. A panic of seq ends the stream with a [PanicError], after the values before
// it. Values wait for others about a millisecond at most, as far as can be foreseen.
func FromSeq[T any](seq iter.Seq[T]) Stream[T] {
	need("FromSeq", "seq", seq == nil)
	return generator("sequence", seq, func(_ context.Context, yield func(T, error) bool) error {
		for v := range seq {
			if !yield(v, nil) {
				break
			}
		}
		return nil
	})
}

// FromSeq2 is [FromSeq] for a sequence that can fail: a pair with an error is an
// item error, and its value is left out.
func FromSeq2[T any](seq iter.Seq2[T, error]) Stream[T] {
	need("FromSeq2", "seq", seq == nil)
	return generator("sequence", seq, func(_ context.Context, yield func(T, error) bool) error {
		for v, err := range seq {
			if !yield(v, err) {
				break
			}
		}
		return nil
	})
}

// FromFunc returns the stream of what f yields: values, and item errors where the
// error is not nil. f should return when yield returns false, and when ctx ends if
// it waits for anything. An error that f returns is fatal: it ends the stream after
// what was yielded before. So is a panic. The stream can be run as often as f can.
// A value waits for further ones as with [FromSeq].
func FromFunc[T any](f func(ctx context.Context, yield func(T, error) bool) error) Stream[T] {
	need("FromFunc", "f", f == nil)
	return generator("function", f, f)
}

// generator is the source of a function that yields.
func generator[T any](kind string, named any, f func(context.Context, func(T, error) bool) error) Stream[T] {
	return Stream[T]{node: newNode(kind, nil).of(named), run: func(r *run, down func(*batch[T]) error) error {
		if err := r.ended(); err != nil {
			return err
		}
		g := &generation[T]{o: newOut(r, down), r: r, goal: 1, since: clock()}
		err := g.generate(f)
		if g.end != nil {
			return g.end
		}
		if err := g.o.send(); err != nil {
			return err
		}
		return err
	}}
}

// generation is one run of a generator. It cannot know when f will take long. So it
// learns how many values come within a short time, beginning with batches of one.
type generation[T any] struct {
	o       *out[T]
	r       *run
	end     error // why yield returned false
	sending bool  // a later stage runs: its panics are not the source's
	goal    int   // values that the next batch shall have
	since   int64 // when the last batch was sent, by clock
}

const (
	// patience is how long values wait for others to fill a batch, in nanoseconds.
	patience = int64(time.Millisecond)
	// glance is how many values come between two looks at the clock.
	glance = 16
)

func (g *generation[T]) yield(v T, err error) bool {
	o := g.o
	switch {
	case g.end != nil:
		return false
	case g.r.ctx.Err() != nil:
		g.end = g.r.ended()
		return false
	case err != nil:
		o.errs = append(o.errs, itemError{len(o.v), err})
	default:
		if cap(o.v) == 0 {
			o.room(o.size)
		}
		o.v = append(o.v, v)
	}
	if n := len(o.v) + len(o.errs); n < g.goal && n%glance > 0 {
		return true
	}
	return g.full()
}

// full sends the batch if it has as many items as it shall have, or took too long to
// get them, and sets how many the next one shall have.
func (g *generation[T]) full() bool {
	n, took := len(g.o.v)+len(g.o.errs), clock()-g.since
	if n < g.goal && took < patience {
		return true
	}
	// As many as came in the time, but at most twice as many as before.
	inTime := int64(n) * patience / max(took, 1)
	g.goal = int(min(max(inTime, 1), int64(2*g.goal), int64(g.o.size)))
	g.sending = true
	g.end = g.o.send()
	g.sending = false
	g.since = clock()
	return g.end == nil
}

// generate calls f, and turns a panic of f into an error. A panic of a later stage
// passes through.
func (g *generation[T]) generate(f func(context.Context, func(T, error) bool) error) (err error) {
	defer func() {
		if g.sending {
			return
		}
		if v := recover(); v != nil {
			err = newPanicError(v)
		}
	}()
	return f(g.r.ctx, g.yield)
}

// FromChan returns the stream of what is received from ch, until ch is closed. It
// sends what is there without waiting for more. A stream of a nil channel waits
// until its context ends. If the stream is stopped, values that were received and
// not yet used are lost; a new run goes on with those that are still in ch.
func FromChan[T any](ch <-chan T) Stream[T] {
	return Stream[T]{node: newNode("channel", nil).with("of %T, room for %d", *new(T), cap(ch)), run: func(r *run, down func(*batch[T]) error) error {
		o := newOut(r, down)
		for {
			if err := r.ended(); err != nil {
				return err
			}
			select {
			case v, open := <-ch:
				if !open {
					return nil
				}
				o.room(o.size)
				o.v = append(o.v, v)
			case <-r.ctx.Done():
				return r.ended()
			}
			open := receive(ch, o)
			if err := o.send(); err != nil || !open {
				return err
			}
		}
	}}
}

// receive appends what is in ch now, as far as the batch has room. It reports
// whether ch is open.
func receive[T any](ch <-chan T, o *out[T]) (open bool) {
	for len(o.v) < o.size {
		select {
		case v, open := <-ch:
			if !open {
				return false
			}
			o.v = append(o.v, v)
		default:
			return true
		}
	}
	return true
}

// once guards a source that can be run once.
type once struct {
	state atomic.Int32
}

const (
	fresh = iota
	running
	used
)

// begin returns [ErrUsed] if the source was run before. It panics if it runs now.
func (o *once) begin(source string) error {
	if o.state.CompareAndSwap(fresh, running) {
		return nil
	}
	if o.state.Load() == running {
		panic(fmt.Sprintf("flow: %s: two runs at once of a source that can be run once", source))
	}
	return ErrUsed
}

func (o *once) end() { o.state.Store(used) }
