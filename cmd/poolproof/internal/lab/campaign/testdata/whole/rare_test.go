package whole

import (
	"sync"
	"testing"
	"time"
)

// Work that is not in every burst. An operation of 1,000 steps takes about 1.3 µs.
// A sweep is what a compaction, an expiry, a trim or a flush costs when it comes:
// its steps are given as a share of the steps of the operations between two sweeps,
// so that this share is what the way costs more by. The state outlives the bursts,
// as that of a program does.
var rare = []pair{
	{"count-1e3", loop(steady(1000)), loop(byCount(1000, 1e3, 0.5))},
	{"count-1e4", loop(steady(1000)), loop(byCount(1000, 1e4, 0.5))},
	{"count-1e5", loop(steady(1000)), loop(byCount(1000, 1e5, 0.5))},
	{"count-1e6", loop(steady(150)), loop(byCount(150, 1e6, 0.5))},
	{"count-baseline", loop(byCount(1000, 1e4, 0.5)), loop(steady(1000))},
	// Equal work in all, spread in another way.
	{"both-equal", loop(byCount(1000, 1e3, 0.5)), loop(byCount(1000, 1e5, 0.5))},
	{"both-differ", loop(byCount(1000, 1e4, 0.5)), loop(byCount(1000, 1e3, 0.2))},
	{"time-10ms", loop(byTime(1000, 10*time.Millisecond, 0)), loop(byTime(1000, 10*time.Millisecond, 3_000_000))},
	{"time-40ms", loop(byTime(1000, 40*time.Millisecond, 0)), loop(byTime(1000, 40*time.Millisecond, 12_000_000))},
	{"time-400ms", loop(byTime(1000, 400*time.Millisecond, 0)), loop(byTime(1000, 400*time.Millisecond, 120_000_000))},
	{"time-baseline", loop(byTime(1000, 40*time.Millisecond, 12_000_000)), loop(byTime(1000, 40*time.Millisecond, 0))},
	{"time-both", loop(byTime(1000, 10*time.Millisecond, 3_000_000)), loop(byTime(1000, 40*time.Millisecond, 12_000_000))},
	// Beside the operations: it takes a processor, and waits for none.
	{"goroutine-free", loop(steady(1000)), beside(10*time.Millisecond, 3_000_000, new(sync.Mutex), steady(1000))},
	// Beside the operations, which wait for it.
	{"goroutine-lock", loop(locked(&calm, steady(1000))), beside(10*time.Millisecond, 3_000_000, &swept, locked(&swept, steady(1000)))},
	{"arena", loop(freed(800)), loop(arena(720, 20_000))},
	{"table", loop(fixedTable(1 << 17)), loop(growingTable(1<<10, 1<<17))},
	{"flush", loop(hashed()), loop(flushed(10_000))},
	// A tenth faster between sweeps, and slower in all; and the same with sweeps
	// that leave it faster.
	{"faster-and-dearer", loop(steady(1000)), loop(byCount(900, 1e4, 5.0/9))},
	{"faster-and-cheaper", loop(steady(1000)), loop(byCount(900, 1e4, 0.02/0.9))},
	// Rare work that does not matter.
	{"cheap", loop(steady(1000)), loop(byCount(1000, 1e4, 0.003))},
}

func BenchmarkRare(b *testing.B) { run(b, rare) }

// byCount sweeps after every each operations.
func byCount(steps, each int, share float64) func(uint64) uint64 {
	sweep, n := int(share*float64(each)*float64(steps)), 0
	return func(x uint64) uint64 {
		x = Spin(steps, x)
		if n++; n == each {
			n, x = 0, Spin(sweep, x)
		}
		return x
	}
}

// byTime sweeps as soon as the period has passed since the last sweep.
func byTime(steps int, period time.Duration, sweep int) func(uint64) uint64 {
	last := time.Now()
	return func(x uint64) uint64 {
		x = Spin(steps, x)
		if time.Since(last) >= period {
			x = Spin(sweep, x)
			last = time.Now()
		}
		return x
	}
}

var calm, swept sync.Mutex

func locked(mu *sync.Mutex, op func(uint64) uint64) func(uint64) uint64 {
	return func(x uint64) uint64 {
		mu.Lock()
		defer mu.Unlock()
		return op(x)
	}
}

// beside sweeps in a goroutine of its own that lives as long as the process. It
// begins with the first burst.
func beside(period time.Duration, sweep int, mu *sync.Mutex, op func(uint64) uint64) func(b *testing.B) {
	var once sync.Once
	measure := loop(op)
	return func(b *testing.B) {
		once.Do(func() {
			go func() {
				x := uint64(1)
				for range time.Tick(period) {
					mu.Lock()
					x = Spin(sweep, x)
					mu.Unlock()
				}
			}()
		})
		measure(b)
	}
}

// object is what the arena and its counterpart hand out.
type object [192]byte

// freed gives each object back at once.
func freed(steps int) func(uint64) uint64 {
	var o object
	return func(x uint64) uint64 {
		x = Spin(steps, x)
		o[x%192] = byte(x)
		x = Spin(200, x+uint64(o[3]))
		clear(o[:])
		return x
	}
}

// arena hands out objects one after the other, and frees them all at its end.
func arena(steps, objects int) func(uint64) uint64 {
	all := sync.OnceValue(func() []object { return make([]object, objects) })
	n := 0
	return func(x uint64) uint64 {
		own := all()
		x = Spin(steps, x)
		own[n][x%192] = byte(x)
		if n++; n == objects {
			for i := range own {
				x = Spin(600, x+uint64(own[i][3]))
			}
			clear(own)
			n = 0
		}
		return x
	}
}

// fixedTable inserts into a hash table that has its size from the start, and
// empties it when it is half full.
func fixedTable(size int) func(uint64) uint64 {
	slots := sync.OnceValue(func() []uint64 { return make([]uint64, size) })
	n := 0
	return func(x uint64) uint64 {
		own := slots()
		x = Spin(60, x)
		insert(own, x|1)
		if n++; n == size/2 {
			clear(own)
			n = 0
		}
		return x
	}
}

// growingTable does the same in a table that doubles whenever it is half full,
// and begins again at its largest size. It allocates nothing: each size has its
// slots.
func growingTable(least, most int) func(uint64) uint64 {
	sizes := sync.OnceValue(func() (all [][]uint64) {
		for size := least; size <= most; size *= 2 {
			all = append(all, make([]uint64, size))
		}
		return all
	})
	at, n := 0, 0
	return func(x uint64) uint64 {
		all := sizes()
		x = Spin(60, x)
		insert(all[at], x|1)
		if n++; n == len(all[at])/2 {
			if at+1 == len(all) {
				clear(all[at])
				at, n = 0, 0
			} else {
				for _, key := range all[at] {
					if key != 0 {
						insert(all[at+1], key)
					}
				}
				clear(all[at])
				at++
			}
		}
		return x
	}
}

// insert puts a key, which is not zero, into the first free slot from its hash on.
//
//go:noinline
func insert(slots []uint64, key uint64) {
	mask := uint64(len(slots) - 1)
	for i := (key >> 17) & mask; ; i = (i + 1) & mask {
		if slots[i] == 0 || slots[i] == key {
			slots[i] = key
			return
		}
	}
}

const line = 128 // bytes of an operation of flushed and hashed

// hashed writes a line and hashes it.
func hashed() func(uint64) uint64 {
	buf := make([]byte, line)
	return func(x uint64) uint64 {
		x = Spin(100, x)
		fill(buf, x)
		return hash(buf, x)
	}
}

// flushed writes lines into a buffer, and hashes all of it when it is full.
func flushed(lines int) func(uint64) uint64 {
	whole := sync.OnceValue(func() []byte { return make([]byte, lines*line) })
	n := 0
	return func(x uint64) uint64 {
		buf := whole()
		x = Spin(100, x)
		fill(buf[n*line:(n+1)*line], x)
		if n++; n == lines {
			n, x = 0, hash(buf, x)
		}
		return x
	}
}

//go:noinline
func fill(buf []byte, x uint64) {
	for i := range buf {
		buf[i] = byte(x >> (i & 31))
	}
}

//go:noinline
func hash(buf []byte, x uint64) uint64 {
	for _, c := range buf {
		x = (x ^ uint64(c)) * 1099511628211
	}
	return x
}
