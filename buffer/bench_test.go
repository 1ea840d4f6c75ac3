package buffer

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/pool"
)

// The benchmarks count to b.N and do not use b.Loop, because b.Loop kept small
// functions from being inlined before Go 1.26. Each has, beside the pools of this
// package, a bare sync.Pool of *[]byte, written as most programs write it.

var benchSizes = []int{512, 4 << 10, 9000, 64 << 10, 1 << 20}

func barePool(size int) *sync.Pool {
	return &sync.Pool{New: func() any { b := make([]byte, size); return &b }}
}

// BenchmarkGet is one Get, one write and one Release by one goroutine. Each loop
// is written out, so that what can be inlined is.
func BenchmarkGet(b *testing.B) {
	for _, size := range benchSizes {
		bare := barePool(size)
		none, used := New(Options{Zero: ZeroNone}), New(Options{Zero: ZeroUsed})
		sized, clean := none.Sized(size), used.Sized(size)
		run := func(pool string, loop func(n int)) {
			b.Run(fmt.Sprintf("size=%d/pool=%s", size, pool), func(b *testing.B) {
				b.ReportAllocs()
				loop(b.N)
			})
		}
		run("sync", func(n int) {
			for range n {
				x := bare.Get().(*[]byte)
				(*x)[0]++
				bare.Put(x)
			}
		})
		run("sized", func(n int) {
			for range n {
				x := sized.Get()
				x.Bytes()[0]++
				x.Release()
			}
		})
		run("get", func(n int) {
			for range n {
				x := none.Get(size)
				x.Bytes()[0]++
				x.Release()
			}
		})
		run("bytes", func(n int) {
			for range n {
				x := none.Bytes(size)
				x[0]++
				none.Free(x)
			}
		})
		run("ptr", func(n int) {
			for range n {
				x := sized.GetPtr()
				(*x)[0]++
				sized.PutPtr(x)
			}
		})
		run("make", func(n int) {
			for range n {
				x := make([]byte, size)
				x[0]++
				keptBytes = x
			}
		})
		run("sync+clear", func(n int) {
			for range n {
				x := bare.Get().(*[]byte)
				(*x)[0]++
				clear(*x)
				bare.Put(x)
			}
		})
		run("sized+clear", func(n int) {
			for range n {
				x := clean.Get()
				x.Bytes()[0]++
				x.Release()
			}
		})
		run("ptr+clear", func(n int) {
			for range n {
				x := clean.GetPtr()
				(*x)[0]++
				clean.PutPtr(x)
			}
		})
	}
}

// BenchmarkParallel is BenchmarkGet of 9000 bytes by as many goroutines as
// processors, times the number named.
func BenchmarkParallel(b *testing.B) {
	const size = 9000
	bare := barePool(size)
	none := New(Options{Zero: ZeroNone})
	sized := none.Sized(size)
	for _, goroutines := range []int{1, 32, 512} {
		run := func(pool string, loop func(pb *testing.PB)) {
			b.Run(fmt.Sprintf("goroutines=%d/pool=%s", goroutines, pool), func(b *testing.B) {
				b.ReportAllocs()
				b.SetParallelism(goroutines)
				b.RunParallel(loop)
			})
		}
		run("sync", func(pb *testing.PB) {
			for pb.Next() {
				x := bare.Get().(*[]byte)
				(*x)[0]++
				bare.Put(x)
			}
		})
		run("sized", func(pb *testing.PB) {
			for pb.Next() {
				x := sized.Get()
				x.Bytes()[0]++
				x.Release()
			}
		})
		run("get", func(pb *testing.PB) {
			for pb.Next() {
				x := none.Get(size)
				x.Bytes()[0]++
				x.Release()
			}
		})
		run("bytes", func(pb *testing.PB) {
			for pb.Next() {
				x := none.Bytes(size)
				x[0]++
				none.Free(x)
			}
		})
	}
}

// BenchmarkStats is BenchmarkGet of 9000 bytes by the level of Options.Stats.
func BenchmarkStats(b *testing.B) {
	for _, level := range []pool.StatsLevel{pool.Misses, pool.Uses, pool.Leaks} {
		sized := New(Options{Zero: ZeroNone, Stats: level}).Sized(9000)
		b.Run("level="+level.String(), func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				x := sized.Get()
				x.Bytes()[0]++
				x.Release()
			}
		})
	}
}

// BenchmarkFill is a read of a small packet into a buffer of 9000 bytes that is
// cleared on its way back, once as far as it was written and once throughout.
func BenchmarkFill(b *testing.B) {
	packet := pattern(300, 1)
	read := func(p []byte) (int, error) { return copy(p, packet), nil }
	bare := barePool(9000)
	sized := New(Options{Zero: ZeroUsed}).Sized(9000)
	b.Run("packet=300/pool=sync", func(b *testing.B) {
		for range b.N {
			x := bare.Get().(*[]byte)
			read(*x)
			bare.Put(x)
		}
	})
	b.Run("packet=300/pool=sync+clear", func(b *testing.B) {
		for range b.N {
			x := bare.Get().(*[]byte)
			read(*x)
			clear(*x)
			bare.Put(x)
		}
	})
	b.Run("packet=300/pool=sized", func(b *testing.B) {
		for range b.N {
			x := sized.Get()
			x.Fill(read)
			x.Release()
		}
	})
}

// BenchmarkAppend writes content of the sizes of real files, 512 bytes at a time,
// with so many buffers in flight. One operation is one file. held/needed is the
// capacity in flight for each byte in it.
func BenchmarkAppend(b *testing.B) {
	sizes := realSizes(b)
	var chunk [512]byte
	for _, inFlight := range []int{1, 16} {
		b.Run(fmt.Sprintf("inflight=%d/pool=sync", inFlight), func(b *testing.B) {
			pool := sync.Pool{New: func() any { b := make([]byte, 0, 4096); return &b }}
			ring := make([]*[]byte, inFlight)
			var needed, held int64
			use := func(size, slot int) {
				if ring[slot] != nil {
					pool.Put(ring[slot])
				}
				x := pool.Get().(*[]byte)
				p := (*x)[:0]
				for n := size; n > 0; n -= len(chunk) {
					p = append(p, chunk[:min(n, len(chunk))]...)
				}
				*x = p
				ring[slot] = x
				needed += int64(len(p))
				held += int64(cap(p))
			}
			for i, size := range sizes { // converge
				use(size, i%inFlight)
			}
			needed, held = 0, 0
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				use(sizes[i%len(sizes)], i%inFlight)
			}
			b.ReportMetric(float64(held)/float64(needed), "held/needed")
		})
		// A few files are above 1 MiB, the default of Max. One that is above is made
		// anew each time, and that shows: Max is to be set above the real sizes.
		benchmarkAppend(b, fmt.Sprintf("inflight=%d/pool=append", inFlight), Options{Max: slices.Max(sizes)}, sizes, inFlight)
		benchmarkAppend(b, fmt.Sprintf("inflight=%d/pool=append-max-1MiB", inFlight), Options{}, sizes, inFlight)
	}
}

// BenchmarkAppendByte is one use for one byte, by a goroutine: what the call costs
// that is meant for content of unknown size. The arm start has Options.Start, so
// that no use is sampled.
func BenchmarkAppendByte(b *testing.B) {
	bare := barePool(4 << 10)
	b.Run("pool=sync", func(b *testing.B) {
		for range b.N {
			x := bare.Get().(*[]byte)
			*x = append((*x)[:0], 1)
			bare.Put(x)
		}
	})
	for _, arm := range []struct {
		name    string
		options Options
	}{{"append", Options{}}, {"start", Options{Start: 4 << 10}}} {
		pool := New(arm.options)
		b.Run("pool="+arm.name, func(b *testing.B) {
			for range b.N {
				x := pool.Append()
				x.WriteByte(1)
				x.Release()
			}
		})
	}
}

func benchmarkAppend(b *testing.B, name string, o Options, sizes []int, inFlight int) {
	var chunk [512]byte
	b.Run(name, func(b *testing.B) {
		pool := New(o)
		ring := make([]*Buffer, inFlight)
		var needed, held int64
		use := func(size, slot int) {
			if ring[slot] != nil {
				ring[slot].Release()
			}
			x := pool.Append()
			for n := size; n > 0; n -= len(chunk) {
				x.Write(chunk[:min(n, len(chunk))])
			}
			ring[slot] = x
			needed += int64(len(x.b))
			held += int64(cap(x.b))
		}
		for i, size := range sizes {
			use(size, i%inFlight)
		}
		needed, held = 0, 0
		b.ReportAllocs()
		b.ResetTimer()
		for i := range b.N {
			use(sizes[i%len(sizes)], i%inFlight)
		}
		b.ReportMetric(float64(held)/float64(needed), "held/needed")
	})
}

// BenchmarkGetSizes gets buffers of the sizes of real files.
func BenchmarkGetSizes(b *testing.B) {
	sizes := realSizes(b)
	p := New(Options{})
	for _, size := range sizes {
		p.Get(size).Release()
	}
	b.Run("pool=get", func(b *testing.B) {
		b.ReportAllocs()
		for i := range b.N {
			p.Get(sizes[i%len(sizes)]).Release()
		}
	})
	b.Run("pool=bytes", func(b *testing.B) {
		b.ReportAllocs()
		for i := range b.N {
			p.Free(p.Bytes(sizes[i%len(sizes)]))
		}
	})
}
