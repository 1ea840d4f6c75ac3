package whole

import (
	"os"
	"sync"
	"testing"
	"time"
)

// Work that more than one goroutine does or waits for, and windows of the timer:
// what a user waits for is wall time.
var parallel = []pair{
	{"split", loop(steady(20_000)), split(10_000)},
	{"split-and-dearer", loop(steady(20_000)), split(14_000)},
	{"lock-half", contended(1000, 0), contended(500, 500)},
	{"lock-longer", contended(300, 300), contended(450, 150)},
	{"ping-pong", loop(steady(300)), pingPong(300)},
	{"ping-pong-work", pingPong(3000), pingPong(2400)},
	// The runtime sleeps for a millisecond where less is asked.
	{"sleep", sleeping(100*time.Microsecond, 0), sleeping(100*time.Microsecond, 300_000)},
	{"sleep-or-work", sleeping(100*time.Microsecond, 0), loop(steady(600_000))},
	{"pipe", piped(2), piped(1)},
	{"assist", chains(false, 0), chains(true, 300)},
	{"window-200ns", windows(400, 150), windows(400, 45)},
	{"window-2us", windows(2000, 1500), windows(2000, 1050)},
	{"window-20us", windows(2000, 15_000), windows(2000, 10_500)},
	{"pool", buffers(false), buffers(true)},
}

func BenchmarkParallel(b *testing.B) { run(b, parallel) }

// split gives one half of an operation to another goroutine.
func split(half int) func(b *testing.B) {
	return func(b *testing.B) {
		in, out := make(chan uint64), make(chan uint64)
		go func() {
			for x := range in {
				out <- Spin(half, x)
			}
		}()
		defer close(in)
		x := sink
		for b.Loop() {
			in <- x
			y := Spin(half, x+1)
			x = y ^ <-out
		}
		sink = x
	}
}

// contended has each goroutine do steps under one lock, and others without it.
func contended(under, outside int) func(b *testing.B) {
	var mu sync.Mutex
	return func(b *testing.B) {
		var shared uint64
		b.RunParallel(func(pb *testing.PB) {
			x := uint64(1)
			for pb.Next() {
				mu.Lock()
				shared = Spin(under, shared)
				mu.Unlock()
				x = Spin(outside, x)
			}
			mu.Lock()
			sink += x
			mu.Unlock()
		})
	}
}

// pingPong asks another goroutine for each operation.
func pingPong(steps int) func(b *testing.B) {
	return func(b *testing.B) {
		in, out := make(chan uint64), make(chan uint64)
		go func() {
			for x := range in {
				out <- Spin(steps, x)
			}
		}()
		defer close(in)
		x := sink
		for b.Loop() {
			in <- x
			x = <-out
		}
		sink = x
	}
}

func sleeping(d time.Duration, steps int) func(b *testing.B) {
	return loop(func(x uint64) uint64 {
		time.Sleep(d)
		return Spin(steps, x)
	})
}

// piped sends 256 bytes through a pipe of the system in a number of writes, and
// reads as often.
func piped(writes int) func(b *testing.B) {
	return func(b *testing.B) {
		r, w, err := os.Pipe()
		if err != nil {
			b.Fatal(err)
		}
		defer r.Close()
		defer w.Close()
		buf := make([]byte, 256/writes)
		for b.Loop() {
			for range writes {
				if _, err := w.Write(buf); err != nil {
					b.Fatal(err)
				}
				if _, err := r.Read(buf); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

// link is an object with a pointer.
type link struct {
	next *link
	body [6]uint64
}

// marked stays, so that a collection has something to mark.
var marked = sync.OnceValue(func() (all []*link) {
	for range 1 << 16 {
		all = append(all, new(link))
	}
	return all
})

// chains has each goroutine make chains of objects and keep the latest ones, so
// that goroutines assist the collector. With reuse, it takes old chains again, and
// pays steps for that.
func chains(reuse bool, steps int) func(b *testing.B) {
	free := make(chan *[64]*link, 64) // of earlier bursts
	return func(b *testing.B) {
		marked()
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			var kept *[64]*link
			select {
			case kept = <-free:
			default:
				kept = new([64]*link)
			}
			defer func() { free <- kept }()
			n, x := 0, uint64(1)
			for pb.Next() {
				x = Spin(300, x)
				at := &kept[n%len(kept)]
				n++
				if reuse && *at != nil {
					for l := *at; l != nil; l = l.next {
						l.body = [6]uint64{x}
					}
					x = Spin(steps, x)
					continue
				}
				*at = nil
				for range 40 {
					*at = &link{next: *at, body: [6]uint64{x}}
				}
			}
		})
	}
}

// windows has the timer stopped for a part of each operation.
func windows(outside, inside int) func(b *testing.B) {
	return func(b *testing.B) {
		x := sink
		b.StopTimer()
		for range b.N {
			x = Spin(outside, x)
			b.StartTimer()
			x = Spin(inside, x)
			b.StopTimer()
		}
		sink = x
	}
}

var pool = sync.Pool{New: func() any { return new([4096]byte) }}

// buffers has each goroutine use a buffer for an operation.
func buffers(pooled bool) func(b *testing.B) {
	return func(b *testing.B) {
		b.RunParallel(func(pb *testing.PB) {
			x := uint64(1)
			for pb.Next() {
				x = Spin(300, x)
				var buf *[4096]byte
				if pooled {
					buf = pool.Get().(*[4096]byte)
					clear(buf[:])
				} else {
					buf = made()
				}
				buf[x%4096] = byte(x)
				x += uint64(buf[17])
				if pooled {
					pool.Put(buf)
				}
			}
		})
	}
}

//go:noinline
func made() *[4096]byte { return new([4096]byte) }
