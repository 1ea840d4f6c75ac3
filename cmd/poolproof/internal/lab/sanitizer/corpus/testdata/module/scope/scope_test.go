// Package scope asks which test a misuse belongs to.
package scope

import (
	"sync"
	"testing"
)

type ticket struct{ number, seat int }

var tickets = sync.Pool{New: func() any { return new(ticket) }}

var seat int

// misuse writes a ticket after Put.
func misuse() {
	k := tickets.Get().(*ticket)
	tickets.Put(k)
	k.seat = 1
}

// use does it right.
func use() {
	k := tickets.Get().(*ticket)
	k.seat = 2
	tickets.Put(k)
}

// Three tests run at a time, one of them is wrong.
//
//want:exact write-after-put
//want:fast write-after-put
//want:in TestOneOfThreeAtATime/wrong
func TestOneOfThreeAtATime(t *testing.T) {
	for _, name := range []string{"right", "wrong", "also_right"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for range 1000 {
				use()
			}
			if name == "wrong" {
				misuse()
			}
			for range 1000 {
				use()
			}
		})
	}
}

// The second test in a row that misuses the pool at the same line fails too.
//
//want:exact write-after-put
//want:fast write-after-put
//want:in TestEachTestThatRepeatsAMisuse/first TestEachTestThatRepeatsAMisuse/third
func TestEachTestThatRepeatsAMisuse(t *testing.T) {
	t.Run("first", func(t *testing.T) { misuse() })
	t.Run("second", func(t *testing.T) { use() })
	t.Run("third", func(t *testing.T) { misuse() })
}

// The access is in a goroutine of a goroutine of the test.
//
//want:exact read-after-put
func TestGrandchildGoroutine(t *testing.T) {
	k := tickets.Get().(*ticket)
	tickets.Put(k)
	done := make(chan int)
	go func() {
		go func() { done <- k.seat }()
	}()
	seat = <-done
}

// Both of two tests that run at a time have goroutines; one reads.
//
//want:exact read-after-put
//want:in TestGoroutinesOfParallelTests/wrong
func TestGoroutinesOfParallelTests(t *testing.T) {
	for _, name := range []string{"right", "wrong"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := tickets.Get().(*ticket)
			if name == "wrong" {
				tickets.Put(k)
			}
			var wg sync.WaitGroup
			for range 8 {
				wg.Add(1)
				go func() {
					defer wg.Done()
					if k.number > 0 {
						panic("sold")
					}
				}()
			}
			wg.Wait()
			if name == "right" {
				tickets.Put(k)
			}
		})
	}
}

// The access is in a cleanup function.
//
//want:exact read-after-put
func TestCleanup(t *testing.T) {
	k := tickets.Get().(*ticket)
	t.Cleanup(func() { seat = k.seat })
	tickets.Put(k)
}

// A fuzz target misuses its pool for one input only: the seed fails.
//
//want:exact write-after-put
//want:fast write-after-put
//want:in FuzzOneInput/seed#1
func FuzzOneInput(f *testing.F) {
	f.Add("a")
	f.Add("b")
	f.Add("c")
	f.Fuzz(func(t *testing.T, text string) {
		if text == "b" {
			misuse()
		} else {
			use()
		}
	})
}
