// Package timers has timers that need no allocation.
package timers

import (
	"sync"
	"time"
)

var (
	timers = sync.Pool{New: func() any { return new(Timer) }}
	clocks sync.Pool
)

// Timer is like a time.Timer. Whoever receives from C sets Read.
type Timer struct {
	clock *time.Timer
	C     <-chan time.Time
	Read  bool
}

// New returns a timer that does not run.
func New() *Timer { return timers.Get().(*Timer) }

// Reset starts it, or starts it again.
func (t *Timer) Reset(d time.Duration) {
	if t.clock == nil {
		if c, ok := clocks.Get().(*time.Timer); ok {
			t.clock = c
			t.clock.Reset(d)
		} else {
			t.clock = time.NewTimer(d)
		}
		t.C = t.clock.C
		return
	}
	if !t.clock.Stop() && !t.Read {
		<-t.C
	}
	t.clock.Reset(d)
	t.Read = false
}

// Stop ends its life: it is put, and must not be used again.
func (t *Timer) Stop() bool {
	var stopped bool
	if t.clock != nil {
		if stopped = t.clock.Stop(); stopped {
			clocks.Put(t.clock)
		}
	}
	*t = Timer{}
	timers.Put(t)
	return stopped
}
