package flow

import (
	"cmp"
	"context"
	"sync"
	"time"
)

// inlet is where the values of a user's function that yields, which may block at any
// time, come to the goroutine of the stages. The function fills a batch; the consumer
// takes it when it has goal items, or when it has some and patience is over, also while
// the function is silent.
//
// goal is how many items came within patience lately: it begins with one and at most
// doubles. While it is one, the function is slow: then yield returns only when the
// stages have had its value, so that nothing is asked of the function that no stage
// wants. Otherwise the function runs ahead by goal items at most, so that two batches
// exist: one that is filled and one that is in use.
type inlet[T any] struct {
	r    *run // of the function: its context is canceled when the consumer has ended
	size int
	stop context.CancelFunc

	mu      sync.Mutex
	moved   *sync.Cond // the producer waits: goal, served or closed has changed
	filled  *sync.Cond // the consumer waits: b, late or ended has changed
	b       *batch[T]  // yielded, and not taken
	goal    int
	yielded uint64 // items, in all
	served  uint64 // of these, what the stages have had
	waiting bool   // the consumer waits
	late    bool   // patience is over
	closed  bool   // the consumer has ended
	ended   bool   // the function has
	err     error  // of the function

	timer *time.Timer // sets late
}

func newInlet[T any](r *run) *inlet[T] {
	in := &inlet[T]{size: r.size, goal: 1, b: &batch[T]{moves: true}}
	in.r, in.stop = r.cancelable()
	in.moved, in.filled = sync.NewCond(&in.mu), sync.NewCond(&in.mu)
	in.timer = time.AfterFunc(time.Hour, in.expire)
	in.timer.Stop()
	return in
}

// produce is the goroutine of f.
func (in *inlet[T]) produce(f func(context.Context, func(T, error) bool) error) {
	err := errExit // unless f returns or panics
	defer func() {
		if v := recover(); v != nil {
			err = newPanicError(v)
		}
		in.mu.Lock()
		defer in.mu.Unlock()
		in.ended, in.err = true, err
		in.filled.Signal()
	}()
	err = f(in.r.ctx, in.yield)
}

// yield takes one item from the function.
func (in *inlet[T]) yield(v T, err error) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	for !in.closed && in.b.items() >= in.goal {
		in.moved.Wait()
	}
	if in.closed || in.ended {
		return false
	}
	switch b := in.b; {
	case err != nil:
		b.errs = append(b.errs, itemError{len(b.v), err})
	default:
		if cap(b.v) == 0 && in.goal > 1 {
			b.v = make([]T, 0, in.size)
		}
		b.v = append(b.v, v)
	}
	in.yielded++
	switch n := in.b.items(); {
	case n >= in.goal:
		if in.waiting {
			in.filled.Signal()
		}
		if in.goal == 1 {
			for want := in.yielded; !in.closed && in.served < want; {
				in.moved.Wait()
			}
		}
	case n == 1 && in.waiting:
		in.timer.Reset(patience)
	}
	return !in.closed
}

// expire is called by the timer.
func (in *inlet[T]) expire() {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.late = true
	in.filled.Signal()
}

// consume hands what was yielded to down until the function has ended, and returns its
// error, or that of down or of the context, which ends the function.
func (in *inlet[T]) consume(down func(*batch[T]) error) error {
	defer in.close()
	pointers := hasPointers[T]()
	next := &batch[T]{moves: true}
	since := clock() // when the stages were done with the batch before
	for {
		took, open := in.take(&next, since)
		if err := in.r.ended(); err != nil && open {
			return err
		}
		if !open {
			return cmp.Or(in.err, in.r.ended())
		}
		if err := down(took); err != nil {
			return err
		}
		took.empty(pointers)
		next, since = took, clock()
		in.mu.Lock()
		in.served = in.yielded - uint64(in.b.items())
		in.moved.Signal()
		in.mu.Unlock()
	}
}

// take waits for a batch and exchanges it for *empty. open is false at the end.
func (in *inlet[T]) take(empty **batch[T], since int64) (took *batch[T], open bool) {
	in.mu.Lock()
	defer in.mu.Unlock()
	in.late = clock()-since >= int64(patience)
	if in.b.items() > 0 {
		in.timer.Reset(patience)
	}
	for in.b.items() == 0 && !in.ended || in.b.items() < in.goal && !in.late && !in.ended {
		in.waiting = true
		in.filled.Wait()
		if in.b.items() == 0 {
			in.late = false // an old tick
		}
	}
	in.waiting = false
	in.timer.Stop()
	n := in.b.items()
	if n == 0 {
		return nil, false
	}
	// As many as came in the time, but at most twice as many as before.
	inTime := int64(n) * int64(patience) / max(clock()-since, 1)
	in.goal = int(min(max(inTime, 1), int64(2*in.goal), int64(in.size)))
	took, in.b = in.b, *empty
	in.moved.Signal()
	return took, true
}

// close ends the function and waits for it.
func (in *inlet[T]) close() {
	in.mu.Lock()
	in.closed = true
	in.moved.Signal()
	in.mu.Unlock()
	in.stop()
	in.mu.Lock()
	defer in.mu.Unlock()
	for !in.ended {
		in.filled.Wait()
	}
	in.timer.Stop()
}
