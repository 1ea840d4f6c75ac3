// Package timerpool waits with timers that are used again.
package timerpool

import (
	"context"
	"sync"
	"time"
)

var timers sync.Pool

func get(d time.Duration) *time.Timer {
	if t, _ := timers.Get().(*time.Timer); t != nil {
		t.Reset(d)
		return t
	}
	return time.NewTimer(d)
}

func put(t *time.Timer) {
	t.Stop()
	timers.Put(t)
}

// Receive returns a value of c, or false after d.
func Receive[T any](ctx context.Context, c <-chan T, d time.Duration) (v T, ok bool) {
	t := get(d)
	defer put(t)
	select {
	case v, ok = <-c:
		return v, ok
	case <-t.C:
		return v, false
	case <-ctx.Done():
		return v, false
	}
}
