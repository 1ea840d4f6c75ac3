package hotswap_test

import (
	"fmt"
	"maps"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/hotswap/poolswap"
)

// The benchmarks count to b.N and do not use b.Loop, because b.Loop kept what it
// calls from being inlined before Go 1.26. The arms of one benchmark differ in
// the last part of the name, so that poolproof try -vary can compare them.
//
// The other arms are written as users write them, each in its own type with its
// own loops: a call through an interface would cost more than some of them.

// kib is a value of 1 KiB.
type kib struct {
	poolswap.Ref // for the arm poolswap
	words        [128]uint64
}

//go:noinline
func (x *kib) fill(n uint64) {
	for i := range x.words {
		x.words[i] = n
	}
}

// counted is the published design: a lock held while the current value is found
// and counted, the count in the value, and a sync.Pool.
type counted struct {
	mu      sync.RWMutex
	current *countedValue
	free    sync.Pool
}

type countedValue struct {
	count atomic.Int64
	_     [56]byte
	kib
}

func newCounted() *counted {
	c := &counted{free: sync.Pool{New: func() any { return new(countedValue) }}}
	c.update(1)
	return c
}

func (c *counted) acquire() *countedValue {
	c.mu.RLock()
	x := c.current
	x.count.Add(1)
	c.mu.RUnlock()
	return x
}

func (c *counted) release(x *countedValue) {
	if x.count.Add(-1) == 0 {
		c.free.Put(x)
	}
}

func (c *counted) update(n uint64) {
	x := c.free.Get().(*countedValue)
	x.count.Store(1)
	x.fill(n)
	c.mu.Lock()
	old := c.current
	c.current = x
	c.mu.Unlock()
	if old != nil {
		c.release(old)
	}
}

// arm is a way of sharing a kib.
type arm struct {
	name   string
	create func() (read func(n int) uint64, write func(n uint64))
}

var arms = []arm{
	{"counted", func() (func(int) uint64, func(uint64)) {
		c := newCounted()
		return func(n int) (sum uint64) {
			for range n {
				x := c.acquire()
				sum += x.words[0]
				c.release(x)
			}
			return sum
		}, c.update
	}},
	{"atomic", func() (func(int) uint64, func(uint64)) {
		var p atomic.Pointer[kib]
		write := func(n uint64) {
			x := new(kib)
			x.fill(n)
			p.Store(x)
		}
		write(1)
		return func(n int) (sum uint64) {
			for range n {
				sum += p.Load().words[0]
			}
			return sum
		}, write
	}},
	{"inplace", func() (func(int) uint64, func(uint64)) {
		var mu sync.RWMutex
		x := new(kib)
		return func(n int) (sum uint64) {
				for range n {
					mu.RLock()
					sum += x.words[0]
					mu.RUnlock()
				}
				return sum
			}, func(n uint64) {
				mu.Lock()
				x.fill(n)
				mu.Unlock()
			}
	}},
	{"poolswap", func() (func(int) uint64, func(uint64)) {
		p := poolswap.NewPool(func() *kib { return new(kib) }, func(*kib) bool { return true })
		c := poolswap.NewEmptyContainer(p)
		write := func(n uint64) {
			x := p.Get()
			x.fill(n)
			c.Update(x)
		}
		write(1)
		return func(n int) (sum uint64) {
			for range n {
				x := c.Acquire()
				sum += x.words[0]
				c.Release(x)
			}
			return sum
		}, write
	}},
	{"acquire", func() (func(int) uint64, func(uint64)) {
		c, write := newContainer(0)
		return func(n int) (sum uint64) {
			for range n {
				r := c.Acquire()
				sum += r.Value().words[0]
				r.Release()
			}
			return sum
		}, write
	}},
	{"acquire,shards=1", func() (func(int) uint64, func(uint64)) {
		c, write := newContainer(1)
		return func(n int) (sum uint64) {
			for range n {
				r := c.Acquire()
				sum += r.Value().words[0]
				r.Release()
			}
			return sum
		}, write
	}},
	{"do", func() (func(int) uint64, func(uint64)) {
		c, write := newContainer(0)
		return func(n int) (sum uint64) {
			for range n {
				c.Do(func(x *kib) { sum += x.words[0] })
			}
			return sum
		}, write
	}},
	{"reader", func() (func(int) uint64, func(uint64)) {
		c, write := newContainer(0)
		return func(n int) (sum uint64) {
			r := c.Reader()
			defer r.Release()
			for range n {
				sum += r.Load().words[0]
			}
			return sum
		}, write
	}},
}

func newContainer(shards int) (*hotswap.Container[kib], func(uint64)) {
	p := hotswap.NewPool(hotswap.Options[kib]{New: func() *kib { return new(kib) }, Shards: shards, Keep: 8})
	c := hotswap.New(p)
	write := func(n uint64) {
		d := p.Get()
		d.Value().fill(n)
		if err := c.Update(&d); err != nil {
			panic(err)
		}
	}
	write(1)
	return c, write
}

// share runs f in that many goroutines, which have b.N operations together.
func share(b *testing.B, goroutines int, f func(n int)) {
	var wg sync.WaitGroup
	b.ResetTimer()
	for i := range goroutines {
		n := b.N / goroutines
		if i < b.N%goroutines {
			n++
		}
		wg.Go(func() { f(n) })
	}
	wg.Wait()
}

var sink atomic.Uint64

// BenchmarkRead reads a value that nobody writes, by several goroutines.
func BenchmarkRead(b *testing.B) {
	for _, goroutines := range []int{1, 2, 8} {
		for _, arm := range arms {
			b.Run(fmt.Sprintf("goroutines=%d/impl=%s", goroutines, arm.name), func(b *testing.B) {
				read, _ := arm.create()
				b.ReportAllocs()
				share(b, goroutines, func(n int) { sink.Add(read(n)) })
			})
		}
	}
}

// BenchmarkMixed is 1 KiB written anew in so many of 1000 operations, and read in
// the others, by two goroutines.
func BenchmarkMixed(b *testing.B) {
	for _, permille := range []int{1, 10, 100} {
		for _, arm := range arms {
			b.Run(fmt.Sprintf("permille=%d/impl=%s", permille, arm.name), func(b *testing.B) {
				read, write := arm.create()
				b.ReportAllocs()
				reads := 1000/permille - 1
				share(b, 2, func(n int) {
					sum := uint64(0)
					for ; n > reads; n -= reads + 1 {
						sum += read(reads)
						write(uint64(n))
					}
					sink.Add(sum + read(n))
				})
			})
		}
	}
}

// large is a value that takes long to clear.
type large struct {
	poolswap.Ref
	entries map[string]int
}

func newLarge(entries int) *large {
	x := &large{entries: make(map[string]int, entries)}
	for i := range entries {
		x.entries[strconv.Itoa(i)] = i
	}
	return x
}

// BenchmarkLastRelease is the Release of the last reader of a replaced map of
// 100,000 entries.
func BenchmarkLastRelease(b *testing.B) {
	const entries = 100_000
	reset := func(x *large) bool { clear(x.entries); return true }
	b.Run("impl=counted", func(b *testing.B) {
		mu, free := sync.RWMutex{}, sync.Pool{New: func() any { return newLarge(entries) }}
		benchmarkLastRelease(b, func() func() {
			x := free.Get().(*large)
			for i := len(x.entries); i < entries; i++ {
				x.entries[strconv.Itoa(i)] = i
			}
			return func() {
				mu.RLock()
				mu.RUnlock() //lint:ignore SA2001 the lock of an Acquire, for its cost
				if reset(x) {
					free.Put(x)
				}
			}
		})
	})
	for _, when := range []hotswap.ResetTime{hotswap.OnGet, hotswap.OnRelease} {
		name := [...]string{"impl=OnGet", "impl=OnRelease"}[when]
		b.Run(name, func(b *testing.B) {
			p := hotswap.NewPool(hotswap.Options[large]{New: func() *large { return newLarge(entries) }, Reset: reset, ResetOn: when})
			c := hotswap.New(p)
			benchmarkLastRelease(b, func() func() {
				d := p.Get()
				x := d.Value()
				for i := len(x.entries); i < entries; i++ {
					x.entries[strconv.Itoa(i)] = i
				}
				if err := c.Update(&d); err != nil {
					b.Fatal(err)
				}
				r := new(hotswap.Ref[large])
				*r = c.Acquire()
				c.Clear()
				return r.Release
			})
		})
	}
}

// benchmarkLastRelease times the function that prepare returns.
func benchmarkLastRelease(b *testing.B, prepare func() func()) {
	for range b.N {
		b.StopTimer()
		release := prepare()
		b.StartTimer()
		release()
	}
}

// BenchmarkChange changes 10 of 100,000 entries.
func BenchmarkChange(b *testing.B) {
	const entries, changes = 100_000, 10
	keys := make([]string, entries)
	for i := range keys {
		keys[i] = strconv.Itoa(i)
	}
	type edit struct{ first, value int }
	apply := func(x *large, e edit) {
		for i := range changes {
			x.entries[keys[(e.first+i*9973)%entries]] = e.value
		}
	}
	options := hotswap.Options[large]{New: func() *large { return &large{entries: make(map[string]int, entries)} }}
	b.Run("impl=delta", func(b *testing.B) {
		c := hotswap.New(hotswap.NewPool(options))
		d := hotswap.NewDelta(c, apply, func(dst, src *large) {
			clear(dst.entries)
			maps.Copy(dst.entries, src.entries)
		})
		for i := range entries / changes {
			if err := d.Update(edit{i * changes, i}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportAllocs()
		b.ResetTimer()
		for i := range b.N {
			if err := d.Update(edit{i, i}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("impl=rebuild", func(b *testing.B) {
		options := options
		options.Reset = func(x *large) bool { clear(x.entries); return true }
		p := hotswap.NewPool(options)
		c := hotswap.New(p)
		b.ReportAllocs()
		for i := range b.N {
			d := p.Get()
			for j, key := range keys {
				d.Value().entries[key] = j
			}
			apply(d.Value(), edit{i, i})
			if err := c.Update(&d); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("impl=atomic", func(b *testing.B) {
		var p atomic.Pointer[large]
		p.Store(newLarge(entries))
		b.ReportAllocs()
		b.ResetTimer()
		for i := range b.N {
			x := &large{entries: maps.Clone(p.Load().entries)}
			apply(x, edit{i, i})
			p.Store(x)
		}
	})
	b.Run("impl=inplace", func(b *testing.B) {
		var mu sync.RWMutex
		x := newLarge(entries)
		b.ReportAllocs()
		b.ResetTimer()
		for i := range b.N {
			mu.Lock()
			apply(x, edit{i, i})
			mu.Unlock()
		}
	})
}

// BenchmarkReuse is an update between so many collections; made/op is the values
// made for it.
func BenchmarkReuse(b *testing.B) {
	for _, collections := range []int{0, 1, 2} {
		b.Run(fmt.Sprintf("gcs=%d/impl=hotswap", collections), func(b *testing.B) {
			p := hotswap.NewPool(hotswap.Options[kib]{New: func() *kib { return new(kib) }})
			c := hotswap.New(p)
			for range b.N {
				d := p.Get()
				if err := c.Update(&d); err != nil {
					b.Fatal(err)
				}
				for range collections {
					runtime.GC()
				}
			}
			b.ReportMetric(float64(p.Stats().News)/float64(b.N), "made/op")
		})
	}
}

// BenchmarkTrace measures what Options.Trace adds to an Acquire and its Release.
func BenchmarkTrace(b *testing.B) {
	for _, trace := range []bool{false, true} {
		b.Run(fmt.Sprintf("trace=%t", trace), func(b *testing.B) {
			p := hotswap.NewPool(hotswap.Options[kib]{New: func() *kib { return new(kib) }, Trace: trace})
			c := hotswap.New(p)
			d := p.Get()
			if err := c.Update(&d); err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for range b.N {
				r := c.Acquire()
				r.Release()
			}
		})
	}
}
