package flow

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Backoff says how often [Retry] tries, and how long it waits in between.
type Backoff struct {
	Tries int           // in all, at least 1
	Pause time.Duration // before the second try; 0 is none
	// Factor multiplies each further pause. 0 is 2; otherwise it
	// must be at least 1.
	Factor float64
	Max    time.Duration // longest pause; 0 is no limit
	// Jitter is the share of each pause that is left to chance, 0 to 1: with 0.5 a
	// pause of a second takes half a second to a whole one. It keeps many that
	// failed at once from coming back at once.
	Jitter float64
	// If says whether an error is worth another try. Nil means all are.
	If func(error) bool
}

// RetryError is the error of an item that failed in all tries.
type RetryError struct {
	Tries int
	Err   error // of the last try
}

// Error returns the number of tries and the last error.
func (e *RetryError) Error() string { return fmt.Sprintf("failed in %d tries: %v", e.Tries, e.Err) }

// Unwrap returns the error of the last try.
func (e *RetryError) Unwrap() error { return e.Err }

// Retry returns f with further tries for an item for which it returns an error. It
// is meant for the function of [MapOrdered] or [MapUnordered]; each worker waits for
// itself. It gives up on [Drop] and on errors for which b.If says no: then the error is
// f's own. It gives up when ctx ends: then the error wraps both f's and the cause of that
// end. Otherwise it is a [RetryError]. It panics if b contradicts itself.
//
// A time limit for each try is Retry(b, Timeout(limit, f)), for all tries together
// Timeout(limit, Retry(b, f)).
func Retry[I, O any](b Backoff, f func(context.Context, I) (O, error)) func(context.Context, I) (O, error) {
	need("Retry", "f", f == nil)
	b.check()
	return func(ctx context.Context, in I) (O, error) {
		for try := 1; ; try++ {
			v, err := f(ctx, in)
			switch {
			case err == nil || err == Drop:
				return v, err
			case ctx.Err() != nil:
				return v, because(ctx, err)
			case b.If != nil && !b.If(err):
				return v, err
			case try >= b.Tries:
				if b.Tries > 1 {
					err = &RetryError{try, err}
				}
				return v, err
			}
			if !sleep(ctx, b.pause(try)) {
				return v, because(ctx, err)
			}
		}
	}
}

// because returns err with the reason why ctx has ended, if it does not say so itself.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); !errors.Is(err, cause) {
		return fmt.Errorf("%w; gave up: %w", err, cause)
	}
	return err
}

func (b *Backoff) check() {
	atLeast("Retry", "Backoff.Tries", b.Tries, 1)
	switch {
	case b.Pause < 0 || b.Max < 0:
		panic(fmt.Sprintf("flow: Retry: Backoff.Pause is %v and Max %v; neither can be negative", b.Pause, b.Max))
	case b.Factor != 0 && !(b.Factor >= 1):
		panic(fmt.Sprintf("flow: Retry: Backoff.Factor is %v; it must be at least 1, or 0 for 2", b.Factor))
	case !(b.Jitter >= 0 && b.Jitter <= 1):
		panic(fmt.Sprintf("flow: Retry: Backoff.Jitter is %v; it must be from 0 to 1", b.Jitter))
	}
}

// pause returns how long to wait after a try.
func (b *Backoff) pause(try int) time.Duration {
	factor := b.Factor
	if factor == 0 {
		factor = 2
	}
	limit := float64(1<<63 - 1024) // the longest that a Duration holds, as far as a float64 tells
	if b.Max > 0 {
		limit = float64(b.Max)
	}
	p := float64(b.Pause)
	for range try - 1 {
		if p *= factor; p >= limit {
			p = limit
			break
		}
	}
	p = min(p, limit)
	return time.Duration(p * (1 - b.Jitter*rand.Float64()))
}

// sleep waits. It reports whether the whole time has passed before ctx ended.
func sleep(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return ctx.Err() == nil
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// ErrTimeout is the cause of the end of a context that [Timeout] has made, and part of
// the error of an item that has failed by it. It is a context.DeadlineExceeded too.
var ErrTimeout error = timeoutError{}

type timeoutError struct{}

func (timeoutError) Error() string        { return "flow: an item took longer than its limit" }
func (timeoutError) Is(target error) bool { return target == context.DeadlineExceeded }
func (timeoutError) Timeout() bool        { return true }

// Timeout returns f with a limit for each item: ctx ends after it. f must return
// then; a function that does not look at ctx cannot be stopped. If the limit is what
// ended f, the error is an [ErrTimeout]. It panics if limit is not positive.
func Timeout[I, O any](limit time.Duration, f func(context.Context, I) (O, error)) func(context.Context, I) (O, error) {
	need("Timeout", "f", f == nil)
	if limit <= 0 {
		panic(fmt.Sprintf("flow: Timeout: limit is %v; it must be positive", limit))
	}
	return func(ctx context.Context, in I) (O, error) {
		ctx, cancel := context.WithTimeoutCause(ctx, limit, ErrTimeout)
		defer cancel()
		v, err := f(ctx, in)
		if err != nil && errors.Is(err, context.DeadlineExceeded) && context.Cause(ctx) == ErrTimeout && !errors.Is(err, ErrTimeout) {
			err = fmt.Errorf("%w of %v: %w", ErrTimeout, limit, err)
		}
		return v, err
	}
}
