package bufferclasses

import (
	"runtime"
	"runtime/debug"
	"testing"
)

// exact runs f on one processor and without collections but those of f, so that
// what a pool does is the same each time.
func exact(t *testing.T, f func(sizes []int)) {
	t.Helper()
	if raceDetector {
		t.Skip("under the race detector sync.Pool drops one in four")
	}
	sizes := realSizes(t)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for range 3 {
		runtime.GC()
	}
	f(sizes)
}

// allocations returns what f allocates.
func allocations(f func()) (objects, bytes uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs, after.TotalAlloc - before.TotalAlloc
}

func TestMadeCountsWhatTheRuntimeAllocates(t *testing.T) {
	exact(t, func(sizes []int) {
		for _, arm := range arms {
			for _, w := range ways {
				a := arm.create(16)
				objects, _ := allocations(func() { round(a, w, sizes) })
				made := a.Counts().Made
				// Beside memory: headers of 24 bytes or more, one each at most, and
				// what sync.Pool and the pool's classes keep for themselves.
				if objects < made || objects > 2*made+600 {
					t.Errorf("%s, %s: %d pieces of memory made, %d objects allocated", arm.name, w.name, made, objects)
				}
			}
		}
	})
}

func TestAWarmPoolAllocatesNothingUnlessItDrops(t *testing.T) {
	exact(t, func(sizes []int) {
		for _, arm := range arms {
			if arm.name == "make" || arm.name == "drop64k" {
				continue
			}
			for _, w := range ways {
				for _, flight := range []int{1, 16} {
					a := arm.create(flight)
					for range 60 {
						round(a, w, sizes)
					}
					before := a.Counts()
					objects, bytes := allocations(func() { round(a, w, sizes) })
					if made := a.Counts().Sub(before).Made; made != 0 || objects != 0 {
						t.Errorf("%s, %s, %d in flight: a round of a warm pool makes %d pieces of memory, and allocates %d objects of %d bytes", arm.name, w.name, flight, made, objects, bytes)
					}
				}
			}
		}
	})
}

// held returns the bytes held in flight for each that is needed, in a warm pool.
func held(create func(int) Arm, w way, flight int, sizes []int) float64 {
	a := create(flight)
	for range 4 {
		round(a, w, sizes)
	}
	before := a.Counts()
	round(a, w, sizes)
	c := a.Counts().Sub(before)
	return float64(c.Held) / float64(c.Needed)
}

func TestOnePoolHoldsTensOfBytesForOneAndClassesAFew(t *testing.T) {
	exact(t, func(sizes []int) {
		for _, w := range ways {
			for _, flight := range []int{1, 16} {
				one, few := held(NewSingle, w, flight, sizes), held(NewClasses, w, flight, sizes)
				t.Logf("%s, %d in flight: single %.2f, drop64k %.2f, classes %.2f, make %.2f", w.name, flight,
					one, held(NewDrop64K, w, flight, sizes), few, held(NewMake, w, flight, sizes))
				most := 2.5
				if w.name == "known" {
					most = 1.10
				}
				if one < 20 || few > most || few <= 1 {
					t.Errorf("%s, %d in flight: %.2f bytes held for each in one pool, want more than 20; %.2f in classes, want more than 1 and at most %.2f", w.name, flight, one, few, most)
				}
			}
		}
	})
}

func TestDropAbove64KiBMakesEachLargeBufferAgain(t *testing.T) {
	exact(t, func(sizes []int) {
		large := uint64(0)
		for _, size := range sizes {
			if size > 64<<10 {
				large++
			}
		}
		a := NewDrop64K(1)
		for range 4 {
			round(a, ways[1], sizes)
		}
		before := a.Counts()
		round(a, ways[1], sizes)
		// What was dropped is followed by a small buffer, which is made too, and
		// then by each that is larger than all since.
		if made := a.Counts().Sub(before).Made; made <= 2*large || made > 6*large {
			t.Errorf("%d buffers made for %d that are large", made, large)
		}
	})
}

func TestDropKeepsExactly64KiB(t *testing.T) {
	exact(t, func([]int) {
		for size, want := range map[int]uint64{64 << 10: 0, 64<<10 + 1: 1} {
			a := NewDrop64K(1)
			a.Known(size)
			before := a.Counts()
			a.Known(size)
			if made := a.Counts().Sub(before).Made; made != want {
				t.Errorf("a second buffer of %d bytes makes %d, want %d", size, made, want)
			}
		}
	})
}

func TestOnlyAReserveKeepsBuffersForRareUses(t *testing.T) {
	exact(t, func(sizes []int) {
		for _, arm := range arms {
			var all []Arm
			for range usesRare {
				all = append(all, arm.create(1))
			}
			made := func() (n uint64) {
				for _, a := range all {
					n += a.Counts().Made
				}
				return n
			}
			want := uint64(usesRare)
			for i := range 4 {
				before := made()
				rare(all, sizes[:usesRare])
				if i > 0 && arm.name == "reserve" {
					want = 0
					for _, size := range sizes[:usesRare] {
						if size > reserve {
							want++
						}
					}
				}
				if n := made() - before; n != want {
					t.Errorf("%s, round %d: %d buffers made, want %d", arm.name, i, n, want)
				}
				for range collected {
					runtime.GC()
				}
			}
		}
	})
}
