package flow

import (
	"context"
	"sync"
)

// boundary is where batches go from one goroutine to another, and back when they
// were used.
//
// At most room+1+producers batches exist: room in full, one in the hand of the
// consumer, one in that of each producer; a producer makes one only when free is
// empty.
//
// The end: a producer stores its fatal error and then reports itself ended, the
// last one closes full, and the consumer reads the error once full is drained. So
// the close orders the two. A consumer that stops early cancels the context and
// drains full to its close: no producer is left blocked, and none outlives the run,
// as long as the sources return when the context ends.
type boundary[T any] struct {
	full     chan *batch[T]
	r        *run // of the producers: its context is canceled by close
	cancel   context.CancelFunc
	pointers bool
	own      func([]T)

	mu        sync.Mutex
	free      []*batch[T] // a stack: the batch that was used last is in the cache
	producing int
	err       error // the first fatal error of a producer
}

func newBoundary[T any](r *run, room, producers int, own func([]T)) *boundary[T] {
	r, cancel := r.cancelable()
	return &boundary[T]{
		full:      make(chan *batch[T], room),
		free:      make([]*batch[T], 0, room+1+producers),
		r:         r,
		cancel:    cancel,
		pointers:  hasPointers[T](),
		own:       own,
		producing: producers,
	}
}

// produce runs s on a goroutine of its own.
func (b *boundary[T]) produce(s Stream[T]) {
	go b.producer(func() error { return s.start(b.r, b.send) })
}

// producer is the goroutine of a producer.
func (b *boundary[T]) producer(f func() error) {
	err := errExit // unless f returns or panics
	defer func() {
		if v := recover(); v != nil {
			err = newPanicError(v)
		}
		b.ended(err)
	}()
	err = f()
}

// ended is the last act of a producer.
func (b *boundary[T]) ended(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err != nil && b.err == nil {
		b.err = err
		b.cancel() // the other producers; what is in full is still used
	}
	if b.producing--; b.producing == 0 {
		close(b.full)
	}
}

// send is where a producer sends its batches.
func (b *boundary[T]) send(from *batch[T]) error {
	to := b.take()
	from.moveTo(to, b.own)
	return b.give(to)
}

// take returns an empty batch.
func (b *boundary[T]) take() *batch[T] {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := len(b.free) - 1
	if last < 0 {
		return &batch[T]{moves: true}
	}
	to := b.free[last]
	b.free = b.free[:last]
	return to
}

// give hands a batch to the consumer, or ends with the context.
func (b *boundary[T]) give(to *batch[T]) error {
	select { // of one channel: half the cost of one of two
	case b.full <- to:
		return nil
	default:
	}
	select {
	case b.full <- to:
		return nil
	case <-b.r.ctx.Done():
		return b.r.ended()
	}
}

// recycle takes back a batch that was used.
func (b *boundary[T]) recycle(used *batch[T]) {
	used.empty(b.pointers)
	if checked {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free = append(b.free, used)
}

// consume hands all batches to down, and returns the producers' error when they
// have ended, or that of down, which ends them.
func (b *boundary[T]) consume(down func(*batch[T]) error) error {
	defer b.close()
	for used := range b.full {
		err := down(used)
		b.recycle(used)
		if err != nil {
			return err
		}
	}
	return b.fatal()
}

// fatal returns the producers' error. All must have ended.
func (b *boundary[T]) fatal() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

// close ends the producers and waits for them. It must be called, also when the
// consumer panics.
func (b *boundary[T]) close() {
	b.cancel()
	for range b.full {
	}
}
