// Package order holds misuses by the order of things: deferred calls, panics,
// iterators, and goroutines that go on after Put.
package order

import (
	"context"
	"io"
	"iter"
	"slices"
	"sync"
	"testing"
	"time"
)

type state struct {
	depth int
	path  [16]int
}

var states = sync.Pool{New: func() any { return new(state) }}

var number int

// Deferred calls run last in, first out: this Put runs before the use.
//
//want:exact read-after-put
func TestDeferredUseRunsAfterDeferredPut(t *testing.T) {
	s := states.Get().(*state)
	defer func() { number = s.depth }()
	defer states.Put(s)
	s.depth = 2
}

// A deferred write runs after the deferred Put.
//
//want:exact write-after-put
//want:fast write-after-put
func TestDeferredWriteRunsAfterDeferredPut(t *testing.T) {
	s := states.Get().(*state)
	s.path[0] = 1
	defer clear(s.path[:])
	defer states.Put(s)
}

// The deferred Put runs while the stack unwinds, before the outer function
// looks at the object.
//
//want:exact read-after-put
func TestRecoverLooksAtWhatWasPut(t *testing.T) {
	var current *state
	defer func() {
		if recover() != nil {
			number = current.depth
		}
	}()
	func() {
		current = states.Get().(*state)
		current.depth = 5
		defer states.Put(current)
		panic("too deep")
	}()
}

// A callee takes over the object; its caller goes on writing.
//
//want:exact write-after-put
//want:fast write-after-put
func TestCallerWritesWhatTheCalleePut(t *testing.T) {
	finish := func(s *state) { states.Put(s) }
	s := states.Get().(*state)
	finish(s)
	s.depth = -1
}

// A callback is registered while the object is in use, and called later.
//
//want:exact read-after-put
func TestCallbackRunsAfterPut(t *testing.T) {
	var callbacks []func()
	func() {
		s := states.Get().(*state)
		defer states.Put(s)
		s.depth = 3
		callbacks = append(callbacks, func() { number += s.depth })
	}()
	for _, call := range callbacks {
		call()
	}
}

type key struct{}

// A context carries the object out of the function that puts it.
//
//want:exact read-after-put
func TestContextCarriesTheObjectOut(t *testing.T) {
	ctx := func() context.Context {
		s := states.Get().(*state)
		defer states.Put(s)
		return context.WithValue(context.Background(), key{}, s)
	}()
	number = ctx.Value(key{}).(*state).depth
}

var rows = sync.Pool{New: func() any { return new([4]int) }}

// each yields a window of pooled memory, and puts it when the loop ends.
func each(n int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		row := rows.Get().(*[4]int)
		defer rows.Put(row)
		for i := range n {
			row[0] = i
			if !yield(row[:]) {
				return
			}
		}
	}
}

// What an iterator yielded is collected and read after the loop.
//
//want:exact read-after-put
func TestYieldedMemoryIsReadAfterTheLoop(t *testing.T) {
	for _, row := range slices.Collect(each(3)) {
		number += row[0]
	}
}

// A goroutine that was told to work on the object is not waited for.
//
//want:exact write-after-put read-after-put?
//want:fast write-after-put
func TestGoroutineIsNotWaitedFor(t *testing.T) {
	s := states.Get().(*state)
	start, done := make(chan bool), make(chan bool)
	go func() {
		<-start
		s.depth++
		close(done)
	}()
	states.Put(s)
	close(start)
	<-done
}

// The sender puts what it has sent; the receiver reads it.
//
//want:exact read-after-put
func TestSenderPutsWhatItSent(t *testing.T) {
	queue := make(chan *state, 1)
	put, done := make(chan bool), make(chan int)
	go func() {
		s := <-queue
		<-put
		done <- s.depth
	}()
	s := states.Get().(*state)
	s.depth = 4
	queue <- s
	states.Put(s)
	close(put)
	number = <-done
}

// Two goroutines share an object, and both put it.
//
//want:exact double-put
//want:fast double-put
func TestBothOwnersPut(t *testing.T) {
	s := states.Get().(*state)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			states.Put(s)
		}()
	}
	wg.Wait()
}

// A write into a pipe goes on in the background while the buffer goes back.
//
//want:exact read-after-put
func TestPipeIsReadAfterPut(t *testing.T) {
	buffers := sync.Pool{New: func() any { return new([64]byte) }}
	b := buffers.Get().(*[64]byte)
	copy(b[:], "hello")
	r, w := io.Pipe()
	go func() {
		w.Write(b[:5])
		w.Close()
	}()
	time.Sleep(time.Millisecond) // as a slow reader does
	buffers.Put(b)
	if text, err := io.ReadAll(r); err != nil || len(text) != 5 {
		t.Fatal(text, err)
	}
}

// A timer outlives the request. Its goroutine is started by the runtime, not by
// a test.
//
//want:exact write-after-put
//want:fast write-after-put
//want:in *
func TestTimerFiresAfterPut(t *testing.T) {
	s := states.Get().(*state)
	fired := make(chan bool)
	time.AfterFunc(5*time.Millisecond, func() {
		s.depth = -1
		close(fired)
	})
	states.Put(s)
	<-fired
}

type shared struct {
	mu    sync.Mutex
	items [8]int
}

// The lock protects the object from other users, not from its next owner.
//
//want:exact write-after-put read-after-put?
func TestLockDoesNotHelpAfterPut(t *testing.T) {
	pool := sync.Pool{New: func() any { return new(shared) }}
	s := pool.Get().(*shared)
	pool.Put(s)
	s.mu.Lock()
	s.items[0]++
	s.mu.Unlock()
}
