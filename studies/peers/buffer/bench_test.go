package bufferpeers

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
)

// The peers are the last part of each name, so that poolproof try -vary pool
// compares them. Ratios are its business: two numbers that go test -bench prints
// one after the other are not a comparison.

// pools are the pools of the benchmarks that have run. A benchmark's function is
// called for each of many short measurements, and a pool must be warm then.
var pools = map[string]Pool{}

func poolOf(b *testing.B, peer Peer) Pool {
	if pools[b.Name()] == nil {
		pools[b.Name()] = peer.New()
	}
	return pools[b.Name()]
}

var pairSizes = []struct {
	name string
	size int
}{{"4KiB", 4 << 10}, {"9000", 9000}, {"64KiB", 64 << 10}, {"1MiB", 1 << 20}}

// BenchmarkPair is Get, a write of the first and the last byte, and Put, of one
// size. An operation is one pair; they are shared evenly by the goroutines.
// (It counts to b.N: with b.Loop each pair would be behind a call.)
func BenchmarkPair(b *testing.B) {
	for _, s := range pairSizes {
		for _, goroutines := range []int{1, 2, 64} {
			for _, peer := range Peers {
				if !peer.Takes(s.size) {
					continue
				}
				b.Run(fmt.Sprintf("size=%s/goroutines=%d/pool=%s", s.name, goroutines, peer.Name), func(b *testing.B) {
					pool := poolOf(b, peer)
					pool.Pairs(s.size, 1)
					b.ReportAllocs()
					b.ResetTimer()
					if goroutines == 1 {
						pool.Pairs(s.size, b.N)
						return
					}
					var all sync.WaitGroup
					for i := range goroutines {
						all.Go(func() { pool.Pairs(s.size, b.N*(i+1)/goroutines-b.N*i/goroutines) })
					}
					all.Wait()
				})
			}
		}
	}
}

// flows are the rings of the benchmarks that have run, and where they stand.
var flows = map[string]*flow{}

type flow struct {
	ring  Ring
	sizes []int
	next  int
}

// step returns the next size, from all files of the Go distribution.
func (f *flow) step() int {
	size := f.sizes[f.next]
	f.next = (f.next + 1) % len(f.sizes)
	return size
}

func flowOf(b *testing.B, peer Peer, flight int, use func(Ring) func(int)) *flow {
	if flows[b.Name()] == nil {
		sizes, err := Sizes()
		if err != nil {
			b.Skip(err)
		}
		f := &flow{ring: peer.New().Ring(flight)}
		for _, size := range sizes {
			if peer.Takes(2 * size) {
				f.sizes = append(f.sizes, size)
			}
		}
		for range f.sizes { // fills the pool, and lets it learn
			use(f.ring)(f.step())
		}
		flows[b.Name()] = f
	}
	return flows[b.Name()]
}

// BenchmarkFlow is uses of the sizes of real files, one after the other, with
// so many buffers in flight; the size is known, or the bytes are appended in
// chunks of 512. An operation is 64 uses, so that operations are alike.
//
// held-B/needed-B is the memory of the buffers in flight for each byte in them.
func BenchmarkFlow(b *testing.B) {
	for _, known := range []bool{true, false} {
		way, use := "append", func(r Ring) func(int) { return r.Append }
		if known {
			way, use = "known", func(r Ring) func(int) { return r.Known }
		}
		for _, flight := range []int{1, 16} {
			for _, peer := range Peers {
				if peer.Max > 0 {
					continue // other files, so another benchmark
				}
				b.Run(fmt.Sprintf("size=%s/flight=%d/pool=%s", way, flight, peer.Name), func(b *testing.B) {
					f := flowOf(b, peer, flight, use)
					held, needed := f.ring.Flow()
					step := use(f.ring)
					b.ReportAllocs()
					b.ResetTimer()
					for range b.N {
						for range 64 {
							step(f.step())
						}
					}
					b.StopTimer()
					h, n := f.ring.Flow()
					b.ReportMetric(float64(h-held)/float64(n-needed), "held-B/needed-B")
				})
			}
		}
	}
}

// BenchmarkRare is a use of 9000 bytes after three collections, which leave
// nothing in a sync.Pool. The clock stands while they run.
func BenchmarkRare(b *testing.B) {
	for _, peer := range Peers {
		b.Run("pool="+peer.Name, func(b *testing.B) {
			pool := poolOf(b, peer)
			b.ReportAllocs()
			for b.Loop() {
				b.StopTimer()
				for range 3 {
					runtime.GC()
				}
				b.StartTimer()
				pool.Pairs(9000, 1)
			}
		})
	}
}
