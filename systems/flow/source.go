package flow

import (
	"context"
	"fmt"
	"iter"
	"sync/atomic"
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
// it.
//
// seq runs on a goroutine of its own, so that a value that it has yielded is passed on
// within a millisecond, also where seq then waits for the next. While values come slowly
// each is passed on at once, and yield returns when the stages after the source have
// returned. Where they come fast, seq runs ahead by up to a batch. A sink does not return
// while seq waits for a value: use [FromFunc] where seq may wait for long, which has the
// context.
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
// f runs on a goroutine of its own, as with [FromSeq].
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
		in := newInlet[T](r)
		go in.produce(f)
		return in.consume(down)
	}}
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
