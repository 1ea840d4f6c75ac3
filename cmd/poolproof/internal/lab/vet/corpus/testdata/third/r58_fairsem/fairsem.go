// Package fairsem is a semaphore that serves those who wait in their order.
package fairsem

import (
	"context"
	"slices"
	"sync"
)

type waiter struct {
	ch      chan struct{}
	granted bool
}

var waiters = sync.Pool{New: func() any { return &waiter{ch: make(chan struct{}, 1)} }}

// Sem is a semaphore.
type Sem struct {
	mu    sync.Mutex
	free  int
	queue []*waiter
}

// New returns a semaphore of n units.
func New(n int) *Sem { return &Sem{free: n} }

// Acquire takes one unit, or returns the error of ctx.
func (s *Sem) Acquire(ctx context.Context) error {
	s.mu.Lock()
	if s.free > 0 {
		s.free--
		s.mu.Unlock()
		return nil
	}
	w := waiters.Get().(*waiter)
	w.granted = false
	s.queue = append(s.queue, w)
	s.mu.Unlock()

	select {
	case <-w.ch:
		waiters.Put(w)
		return nil
	case <-ctx.Done():
	}

	s.mu.Lock()
	granted := w.granted
	if !granted {
		s.queue = slices.DeleteFunc(s.queue, func(q *waiter) bool { return q == w })
	}
	s.mu.Unlock()
	if granted {
		<-w.ch
		waiters.Put(w)
		return nil
	}
	waiters.Put(w)
	return ctx.Err()
}

// Release gives one unit back.
func (s *Sem) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 {
		s.free++
		return
	}
	w := s.queue[0]
	s.queue = slices.Delete(s.queue, 0, 1)
	w.granted = true
	w.ch <- struct{}{}
}
