package pool_test

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/poolproof/poolproof/pool"
)

// The benchmarks count to b.N and do not use b.Loop, because b.Loop kept Get
// and Put from being inlined before Go 1.26. The arms of one benchmark differ
// in the last part of the name, so that poolproof try -vary can compare them.

// syncPool is a package variable, as most pools are.
var syncPool = sync.Pool{New: func() any { return new(item) }}

// byHand are rules in variables, as those of a pool are: the compiler does not know
// what it calls.
var byHand = struct {
	keep  func(*item) bool
	reset func(*item)
}{always, clean}

// pairsOfSyncPool is the baseline of the other arms: a sync.Pool by hand.
func pairsOfSyncPool(n int) {
	for range n {
		x := syncPool.Get().(*item)
		x.words[0]++
		syncPool.Put(x)
	}
}

func pairs(p *pool.Pool[item], n int) {
	for range n {
		x := p.Get()
		x.words[0]++
		p.Put(x)
	}
}

func pairsOfLocal(l *pool.Local[item], n int) {
	for range n {
		x := l.Get()
		x.words[0]++
		l.Put(x)
	}
}

// BenchmarkGetPut is one Get, one write and one Put by one goroutine, for each
// form of a pool.
func BenchmarkGetPut(b *testing.B) {
	b.Run("pool=sync", func(b *testing.B) {
		b.ReportAllocs()
		pairsOfSyncPool(b.N)
	})
	b.Run("pool=sync,rules=Reset", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			x := syncPool.Get().(*item)
			x.words[0]++
			clean(x)
			syncPool.Put(x)
		}
	})
	b.Run("pool=sync,rules=Keep+Reset", func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			x := syncPool.Get().(*item)
			x.words[0]++
			if byHand.keep(x) {
				byHand.reset(x)
				syncPool.Put(x)
			}
		}
	})
	for _, form := range forms {
		p := pool.New(form.rules)
		b.Run("pool=typed,"+form.name, func(b *testing.B) {
			b.ReportAllocs()
			pairs(p, b.N)
		})
	}
	for _, form := range []struct {
		name  string
		rules pool.Options[item]
	}{{"rules=none", pool.Options[item]{}}, {"rules=Reset", pool.Options[item]{Reset: clean}}} {
		l := pool.New(form.rules).Local(16)
		b.Run("pool=local,"+form.name, func(b *testing.B) {
			b.ReportAllocs()
			pairsOfLocal(l, b.N)
		})
	}
	b.Run("pool=typed,With", func(b *testing.B) {
		p := pool.New(pool.Options[item]{})
		b.ReportAllocs()
		for range b.N {
			p.With(func(x *item) { x.words[0]++ })
		}
	})
}

// BenchmarkParallel is BenchmarkGetPut by as many goroutines as processors, each
// with a Local of its own in that arm.
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
	for _, form := range forms {
		p := pool.New(form.rules)
		b.Run("pool=typed,"+form.name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					x := p.Get()
					x.words[0]++
					p.Put(x)
				}
			})
		})
	}
	b.Run("pool=local", func(b *testing.B) {
		p := pool.New(pool.Options[item]{})
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			l := p.Local(16)
			defer l.Close()
			for pb.Next() {
				x := l.Get()
				x.words[0]++
				l.Put(x)
			}
		})
	})
}

// buffer is an object that is expensive to make.
type buffer [9000]byte

// BenchmarkRareUse is one use in three collections: what a sync.Pool keeps for
// two is gone by then. made/op is the number of objects made for each use; the
// time is that of the collections.
func BenchmarkRareUse(b *testing.B) {
	var made atomic.Int64
	create := func() *buffer { made.Add(1); return new(buffer) }
	run := func(b *testing.B, get func() *buffer, put func(*buffer)) {
		made.Store(0)
		b.ReportAllocs()
		for range b.N {
			x := get()
			x[0]++
			put(x)
			for range 3 {
				runtime.GC()
			}
		}
		b.ReportMetric(float64(made.Load())/float64(b.N), "made/op")
	}
	b.Run("pool=sync", func(b *testing.B) {
		p := sync.Pool{New: func() any { return create() }}
		run(b, func() *buffer { return p.Get().(*buffer) }, func(x *buffer) { p.Put(x) })
	})
	for _, arm := range []struct {
		name  string
		rules pool.Options[buffer]
	}{
		{"pool=typed,reserve=0", pool.Options[buffer]{New: create}},
		{"pool=typed,reserve=4", pool.Options[buffer]{New: create, Reserve: 4}},
	} {
		b.Run(arm.name, func(b *testing.B) {
			p := pool.New(arm.rules)
			run(b, p.Get, p.Put)
		})
	}
	b.Run("pool=local", func(b *testing.B) {
		l := pool.New(pool.Options[buffer]{New: create}).Local(4)
		run(b, l.Get, l.Put)
	})
}

// BenchmarkMiss is a Get of an empty pool, whose object is forgotten: what each
// level and the reserve add to the making of an object.
func BenchmarkMiss(b *testing.B) {
	for _, form := range forms {
		p := pool.New(form.rules)
		b.Run("pool=typed,"+form.name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				p.Get().words[0]++
			}
		})
	}
}

// BenchmarkDropUnderused is a Put and a Get of each of a number of objects in flight,
// all of them large and little used, which is what the rule has to remember.
func BenchmarkDropUnderused(b *testing.B) {
	for _, inFlight := range []int{1, 64, 256, 1024} {
		for _, rule := range []bool{false, true} {
			b.Run(fmt.Sprintf("inflight=%d/dropunderused=%t", inFlight, rule), func(b *testing.B) {
				p := pool.New(pool.Options[item]{
					Size:          func(*item) int { return 64 << 10 },
					Used:          func(x *item) int { return int(x.words[0]) },
					DropUnderused: rule,
				})
				objects := make([]*item, inFlight)
				for i := range objects {
					objects[i] = p.Get()
				}
				use := uint64(0)
				b.ReportAllocs()
				for i := range b.N {
					// Two bad uses, then a good one: none is dropped.
					if use = 0; (i/inFlight)%3 == 2 {
						use = 64 << 10
					}
					x := &objects[i%inFlight]
					(*x).words[0] = use
					p.Put(*x)
					*x = p.Get()
				}
			})
		}
	}
}
