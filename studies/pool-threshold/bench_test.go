package poolthreshold

import (
	"runtime"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/crew"
)

// The size of the blocks is SIZE in the environment, 1KiB if it is not set:
//
//	SIZE=16KiB go test -bench Hot
//
// b.Loop changes nothing in what is inlined: the arms are behind an interface,
// and use is not inlined in any case.

// BenchmarkHot uses blocks as fast as it can. An operation is 16,384 uses, or
// fewer for large blocks, shared evenly by the goroutines.
func BenchmarkHot(b *testing.B) {
	for _, team := range teams {
		for _, arm := range arms {
			b.Run("goroutines="+team.name+"/memory="+arm.name, func(b *testing.B) {
				w := operation(b, func(s Size) *work { return hot(arm.create(s), s, team.size()) })
				run(b, w, func() {})
			})
		}
	}
}

// BenchmarkRare uses each block only after two collections, which leave nothing
// in a sync.Pool. They run while the clock is stopped. To make that worth the
// while an operation is one use at each of up to 256 places, as in a program
// that has many pools, each with its own.
func BenchmarkRare(b *testing.B) {
	for _, team := range teams {
		for _, arm := range arms {
			b.Run("goroutines="+team.name+"/memory="+arm.name, func(b *testing.B) {
				w := operation(b, func(s Size) *work { return rare(rareArms(arm.create, s), s, team.size()) })
				run(b, w, func() {
					b.StopTimer()
					runtime.GC()
					runtime.GC()
					b.StartTimer()
				})
			})
		}
	}
}

// BenchmarkStack is BenchmarkHot with a block that does not leave the function
// that makes it. There is nothing in it that a pool could save.
func BenchmarkStack(b *testing.B) {
	for _, arm := range stackArms {
		b.Run("memory="+arm.name, func(b *testing.B) {
			w := operation(b, func(s Size) *work { return hot(arm.create(s), s, 1) })
			run(b, w, func() {})
		})
	}
}

// BenchmarkLive is BenchmarkHot in a program that holds 32 MiB: collections are
// fewer, and each has something to mark. It is the last, since the heap stays.
func BenchmarkLive(b *testing.B) {
	for _, arm := range arms {
		b.Run("memory="+arm.name, func(b *testing.B) {
			w := operation(b, func(s Size) *work { return hot(arm.create(s), s, 1) })
			defer runtime.KeepAlive(liveHeap())
			run(b, w, func() {})
		})
	}
}

// run measures w. It calls before ahead of each operation.
func run(b *testing.B, w *work, before func()) {
	goroutines := crew.New(w.goroutines, w.share)
	defer goroutines.Close()
	b.ReportAllocs()
	for b.Loop() {
		before()
		goroutines.Run()
		if err := w.check(); err != nil {
			b.Fatal(err)
		}
	}
}
