package whole

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Pairs whose clocks point in opposite directions: the candidate takes more
// processor time, and the user waits for less. And pairs in which only one of the
// clocks moves. An operation takes 200 µs or more, so that a second processor pays.
var clocks = []pair{
	{"halves", loop(steady(200_000)), halves(110_000)},
	{"halves-dearer", loop(steady(200_000)), halves(150_000)},
	{"lock-and-work", shared(1, 20_000, 0), shared(1, 9_000, 13_000)},
	{"two-locks", shared(1, 4000, 0), shared(2, 4400, 0)},
	{"behind-sleep", inTurn(500_000), behindSleep(550_000)},
	{"stages", loop(steady(200_000)), stages(105_000)},
	// The same wall time, at twice the processor time.
	{"burns", loop(steady(200_000)), burns(200_000)},
	// A sweep by one of several goroutines, which the others do not wait for.
	{"sweep-by-one", countedTogether(0), countedTogether(0.5)},
}

func BenchmarkClocks(b *testing.B) { run(b, clocks) }

// asked is a goroutine that does steps for each value that it is given, until its
// channel is closed.
func asked(steps int) (in, out chan uint64) {
	in, out = make(chan uint64), make(chan uint64)
	go func() {
		for x := range in {
			out <- Spin(steps, x)
		}
	}()
	return in, out
}

// halves has two goroutines do a part of each operation.
func halves(steps int) func(b *testing.B) {
	return func(b *testing.B) {
		in, out := asked(steps)
		defer close(in)
		loop(func(x uint64) uint64 {
			in <- x
			return Spin(steps, x+1) ^ <-out
		})(b)
	}
}

// burns has another goroutine do work that is not used.
func burns(steps int) func(b *testing.B) {
	return func(b *testing.B) {
		in, out := asked(steps * 9 / 10) // done before the operation is
		defer close(in)
		loop(func(x uint64) uint64 {
			in <- x
			y := Spin(steps, x+1)
			<-out
			return y
		})(b)
	}
}

// shared has goroutines take turns under a number of locks, one for each or one
// for all, and work outside of them.
func shared(locks, under, outside int) func(b *testing.B) {
	type guarded struct {
		sync.Mutex
		x uint64
		_ [112]byte
	}
	all := make([]guarded, locks)
	return func(b *testing.B) {
		var next atomic.Int64
		b.RunParallel(func(pb *testing.PB) {
			g, x := &all[int(next.Add(1))%locks], uint64(1)
			for pb.Next() {
				g.Lock()
				g.x = Spin(under, g.x)
				g.Unlock()
				x = Spin(outside, x)
			}
			atomic.AddUint64(&sink, x)
		})
	}
}

const nap = 2 * time.Millisecond

// inTurn sleeps and then works.
func inTurn(steps int) func(b *testing.B) {
	return loop(func(x uint64) uint64 {
		time.Sleep(nap)
		return Spin(steps, x)
	})
}

// behindSleep works while it sleeps.
func behindSleep(steps int) func(b *testing.B) {
	return func(b *testing.B) {
		in, out := asked(steps)
		defer close(in)
		loop(func(x uint64) uint64 {
			in <- x
			time.Sleep(nap)
			return <-out
		})(b)
	}
}

// stages does one half of an operation, and leaves the other one to a goroutine
// that may be some operations late.
func stages(half int) func(b *testing.B) {
	return func(b *testing.B) {
		queue, done := make(chan uint64, 16), make(chan uint64)
		go func() {
			sum := uint64(0)
			for x := range queue {
				sum += Spin(half, x)
			}
			done <- sum
		}()
		x := sink
		for range b.N {
			x = Spin(half, x)
			queue <- x
		}
		close(queue)
		sink = x + <-done
	}
}

// countedTogether has goroutines count their operations together. The goroutine that
// does the 10,000th one sweeps.
func countedTogether(share float64) func(b *testing.B) {
	const steps, each = 1000, 10_000
	sweep := int(share * each * steps)
	var n atomic.Int64
	return func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			x := uint64(1)
			for pb.Next() {
				x = Spin(steps, x)
				if n.Add(1)%each == 0 {
					x = Spin(sweep, x)
				}
			}
			atomic.AddUint64(&sink, x)
		})
	}
}
