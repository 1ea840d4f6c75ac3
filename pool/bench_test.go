package pool_test

import (
	"sync"
	"testing"

	"github.com/poolproof/poolproof/pool"
)

// The benchmarks count to b.N and do not use b.Loop, because b.Loop kept Get
// and Put from being inlined before Go 1.26. The pools are package variables,
// as most pools are.
var (
	syncPool  = sync.Pool{New: func() any { return new(item) }}
	typedPool = pool.New(pool.Rules[item]{})
	resetPool = pool.New(pool.Rules[item]{Reset: clean})
)

// clean is not inlined, because Rules.Reset never is.
//
//go:noinline
func clean(x *item) { x.words[0] = 0 }

// BenchmarkGetPut is one Get, one write and one Put by one goroutine, beside
// the same by hand.
func BenchmarkGetPut(b *testing.B) {
	b.Run("reset=no/pool=sync", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			x := syncPool.Get().(*item)
			x.words[0]++
			syncPool.Put(x)
		}
	})
	b.Run("reset=no/pool=typed", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			x := typedPool.Get()
			x.words[0]++
			typedPool.Put(x)
		}
	})
	b.Run("reset=yes/pool=sync", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			x := syncPool.Get().(*item)
			x.words[0]++
			clean(x)
			syncPool.Put(x)
		}
	})
	b.Run("reset=yes/pool=typed", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			x := resetPool.Get()
			x.words[0]++
			resetPool.Put(x)
		}
	})
}

// BenchmarkParallel is BenchmarkGetPut by as many goroutines as processors.
func BenchmarkParallel(b *testing.B) {
	b.Run("pool=sync", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				x := syncPool.Get().(*item)
				x.words[0]++
				syncPool.Put(x)
			}
		})
	})
	b.Run("pool=typed", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				x := typedPool.Get()
				x.words[0]++
				typedPool.Put(x)
			}
		})
	})
}
