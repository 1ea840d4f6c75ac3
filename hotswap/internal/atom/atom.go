//go:build !poolproofexplore

package atom

import (
	"context"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Atomic variables, sequentially consistent as the Go memory model says.
type (
	Int64          = atomic.Int64
	Uint64         = atomic.Uint64
	Bool           = atomic.Bool
	Pointer[T any] = atomic.Pointer[T]
)

// Places is how many places of a line of package slots are used.
const Places = 8

// Mutex is a lock for short sections.
type Mutex = sync.Mutex

// Event happens at most once. Any number of goroutines may wait for it.
type Event chan struct{}

// NewEvent returns an Event that has not happened.
func NewEvent() Event { return make(Event) }

// Happen makes e happen. It must be called once.
func (e Event) Happen() { close(e) }

// Happened reports whether e has happened.
func (e Event) Happened() bool {
	select {
	case <-e:
		return true
	default:
		return false
	}
}

// Wait returns nil when e or other has happened, and the error of ctx if that
// ends before. A nil other never happens, and a nil ctx never ends.
func (e Event) Wait(ctx context.Context, other Event) error {
	var done <-chan struct{}
	if ctx != nil {
		done = ctx.Done()
	}
	select {
	case <-e:
		return nil
	case <-other:
		return nil
	case <-done:
		return ctx.Err()
	}
}

// Hint returns a number that tells goroutines, and so mostly processors, apart:
// a hash of the address of the caller's stack. Its high 9 bits are the part to
// use. A shift and a multiplication are less than asking the processor for its
// number. The number changes when the stack moves, so whoever must find the same
// place again keeps the place, not the number.
//
// The address is divided by 2 KiB, the size of the smallest stack, so that the
// depth of a call rarely matters. The high bits of the product depend on all bits
// of the address; the low ones of the address alone would be the same for
// many goroutines, whose stacks begin at multiples of their size.
func Hint() uint64 {
	var here byte
	return uint64(uintptr(unsafe.Pointer(&here))>>11) * 0x9e3779b97f4a7c15
}
