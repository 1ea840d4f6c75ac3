package pool

import "testing"

// Objects of one allocation class stand at multiples of their size: all of them
// must not write the same cache line.
func TestCountsOfNeighboursAreSpread(t *testing.T) {
	for _, size := range []uintptr{8, 64, 512, 8192, 1 << 20} {
		var c useCounts
		var used [len(c)]bool
		n := 0
		for i := range uintptr(64) {
			if s := c.shard(0xc000_0000 + i*size); !used[s] {
				used[s] = true
				n++
			}
		}
		if n < 12 {
			t.Errorf("64 objects of %d bytes count in %d of %d shards", size, n, len(c))
		}
	}
}

// All is forgotten every forgetAfter collections, and not after each one from then on:
// a server would drop nothing any more.
func TestBadUsesAreCountedAfterManyCollectionsToo(t *testing.T) {
	s := new(strikes)
	for range 3*forgetAfter + 1 {
		s.collected()
	}
	const addr = 0xc000_0000
	for use := 1; use <= maxStrikes; use++ {
		if dropped := s.add(addr); dropped != (use == maxStrikes) {
			t.Errorf("bad use %d: dropped %t", use, dropped)
		}
		s.collected()
	}
}
