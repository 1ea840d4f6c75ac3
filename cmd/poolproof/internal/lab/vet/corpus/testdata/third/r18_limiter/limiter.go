// Package limiter lets some requests in at a time, with pooled timers for those that wait.
package limiter

import (
	"context"
	"errors"
	"sync"
	"time"
)

var timers = sync.Pool{New: func() any {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}}

func getTimer(d time.Duration) *time.Timer {
	t := timers.Get().(*time.Timer)
	t.Reset(d)
	return t
}

// putTimer gives back a timer, fired or not. From Go 1.23 on a stopped timer leaves nothing in its
// channel.
func putTimer(t *time.Timer) {
	t.Stop()
	timers.Put(t)
}

var (
	errBusy   = errors.New("limiter: busy")
	errClosed = errors.New("limiter: closed")
)

// Limiter is a limit on what runs at a time.
type Limiter struct {
	slots  chan struct{}
	closed chan struct{}
	wait   time.Duration
}

// New allows n at a time. Others wait for a while.
func New(n int, wait time.Duration) *Limiter {
	return &Limiter{make(chan struct{}, n), make(chan struct{}), wait}
}

// Close makes those that wait fail.
func (l *Limiter) Close() { close(l.closed) }

// Do runs f when it may.
func (l *Limiter) Do(ctx context.Context, f func() error) error {
	if err := l.enter(ctx); err != nil {
		return err
	}
	defer func() { <-l.slots }()
	return f()
}

func (l *Limiter) enter(ctx context.Context) error {
	select {
	case l.slots <- struct{}{}:
		return nil
	default:
	}
	t := getTimer(l.wait)
	defer putTimer(t)
	select {
	case l.slots <- struct{}{}:
		return nil
	case <-t.C:
		return errBusy
	case <-l.closed:
		return errClosed
	case <-ctx.Done():
		return ctx.Err()
	}
}
