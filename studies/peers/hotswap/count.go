package hotswappeers

import (
	"runtime"
	"runtime/debug"
)

// Exact runs f on one processor and without collections but those that f asks
// for, so that what f counts is the same in each run.
func Exact(f func()) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	f()
}

// MadeForUpdates returns how many values of 1 KiB a peer makes for a first one
// and so many updates, each after a number of collections. Call it within Exact.
func MadeForUpdates(p Peer, updates, collections int) int {
	share := p.KiB()
	g := share.Goroutine()
	defer g.Release()
	for n := range updates {
		for range collections {
			runtime.GC()
		}
		g.Write(uint64(n))
		g.Reads(1)
	}
	return share.Made()
}

// Held returns how many values of 64 KiB a peer keeps alive after ten updates
// with a reader, and three collections: rounded, for its own memory is small
// beside them. Call it within Exact.
func Held(p Peer) int {
	before := alive()
	share := p.KiB64()
	g := share.Goroutine()
	for n := range uint64(10) {
		g.Write(n)
		g.Reads(1)
	}
	after := alive()
	runtime.KeepAlive(g)
	g.Release()
	const size = uint64(len(KiB64{}) * 8)
	return int((after - min(before, after) + size/2) / size)
}

// alive returns the bytes that are left after three collections.
func alive() uint64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Written returns the bytes that an update of a value of 1 KiB allocates: the
// least of several. Call it within Exact.
func Written(p Peer) uint64 {
	g := p.KiB().Goroutine()
	defer g.Release()
	least := ^uint64(0)
	var before, after runtime.MemStats
	for n := range uint64(6) {
		runtime.ReadMemStats(&before)
		g.Write(n)
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}
