package bufferpeers

import (
	"runtime"
	"runtime/debug"
	"time"
	"weak"
)

// Exact runs f on one processor and without collections but those that f asks
// for, so that what f counts is the same in each run.
func Exact(f func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	collect(3) // the remains of others
	f()
}

func collect(times int) {
	for range times {
		done := make(chan struct{})
		cleanUp(done)
		runtime.GC()
		// A pool with a reserve learns of the collection from a cleanup: wait
		// until one of ours has run, and give the others time.
		<-done
		time.Sleep(time.Millisecond)
	}
}

// cleanUp closes done when the next collection has ended.
//
//go:noinline
func cleanUp(done chan struct{}) {
	runtime.AddCleanup(new([64]byte), func(done chan struct{}) { close(done) }, done)
}

// allocated returns the bytes that f allocates.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Burst measures a pool whose buffers are all in use at once.
type Burst struct {
	Asked  uint64     // bytes, first burst
	Handed [2]float64 // bytes of memory for each byte asked, first and second burst
	Kept   [3]uint64  // bytes of the first burst's memory after 0, 1 and 2 collections
	Made   uint64     // bytes newly allocated for the second burst
}

// MeasureBurst holds a buffer of each of the sizes first, releases all, and does
// so again with the sizes second. Call it within Exact.
func MeasureBurst(peer Peer, first, second []int) Burst {
	var b Burst
	b.Kept = kept(peer, first)
	collect(2) // mcache has one pool for the process

	pool := peer.New()
	b.Asked, b.Handed[0] = hold(pool, first, nil)
	var handed float64
	b.Made = allocated(func() { _, handed = hold(pool, second, nil) }) - ownAllocations(second)
	b.Handed[1] = handed
	return b
}

// hold takes a buffer of each size, shows them to see, and releases them. Each
// that a pool hands out must be its holder's alone, which is checked here too.
func hold(pool Pool, sizes []int, see func([]Held)) (asked uint64, handed float64) {
	held := make([]Held, len(sizes))
	total := uint64(0)
	for i, size := range sizes {
		held[i] = pool.Hold(size)
		asked += uint64(size)
		total += uint64(held[i].Capacity)
	}
	if see != nil {
		see(held)
	}
	for i := range held {
		held[i].Release()
	}
	return asked, float64(total) / float64(asked)
}

// ownAllocations returns the bytes that hold itself allocates for that many sizes: the list
// and the closures of Held.
func ownAllocations(sizes []int) uint64 {
	return allocated(func() { hold(nothing{}, sizes, nil) })
}

// nothing is a Pool whose buffers are nil.
type nothing struct{ Pool }

func (nothing) Hold(size int) Held {
	n := native[*int]{put: func(*int) {}}
	b := &zero
	return Held{Capacity: size, Release: func() { n.put(b) }}
}

var zero int

// kept returns how many bytes of the memory of a burst are alive after 0, 1
// and 2 collections, told by weak pointers to each buffer's first byte.
func kept(peer Peer, sizes []int) (bytes [3]uint64) {
	pool := peer.New()
	type memory struct {
		first weak.Pointer[byte]
		size  int
	}
	var all []memory
	hold(pool, sizes, func(held []Held) {
		for _, h := range held {
			all = append(all, memory{weak.Make(&h.Bytes[0]), h.Capacity})
		}
	})
	for i := range bytes {
		if i > 0 {
			collect(1)
		}
		for _, m := range all {
			if m.first.Value() != nil {
				bytes[i] += uint64(m.size)
			}
		}
	}
	runtime.KeepAlive(pool)
	return bytes
}

// Flow measures a pool whose uses follow each other.
type Flow struct {
	Held float64 // bytes held in flight for each byte needed
	Made float64 // bytes allocated for each use
}

// between is the number of uses from one collection to the next.
const between = 1024

// MeasureFlow uses a pool once for each size, known beforehand or appended,
// with so many buffers in flight, and a collection after every 1024 uses. What
// is counted is the second round: in the first the pool fills, and learns.
// Call it within Exact.
func MeasureFlow(peer Peer, sizes []int, known bool, flight int) Flow {
	pool := peer.New()
	ring := pool.Ring(flight)
	use := ring.Append
	if known {
		use = ring.Known
	}
	round := func() {
		for i, size := range sizes {
			use(size)
			if i%between == between-1 {
				collect(1)
			}
		}
	}
	round()
	heldBefore, neededBefore := ring.Flow()
	made := allocated(round)
	held, needed := ring.Flow()
	ring.Drain()
	return Flow{
		Held: float64(held-heldBefore) / float64(needed-neededBefore),
		Made: float64(made) / float64(len(sizes)),
	}
}

// MeasureRare returns the bytes allocated for each of 50 uses that three
// collections separate. Call it within Exact.
func MeasureRare(peer Peer, size int) (made uint64) {
	pool := peer.New()
	ring := pool.Ring(1)
	ring.Known(size)
	ring.Drain()
	const uses = 50
	for range uses {
		collect(3)
		made += allocated(func() {
			ring.Known(size)
			ring.Drain()
		})
	}
	return made / uses
}
