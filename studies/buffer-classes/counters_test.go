package bufferclasses

import (
	"runtime"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// poolsAlone makes pools give back what was put, for the rest of the test, and
// empties those of earlier tests. It returns the real sizes.
func poolsAlone(t *testing.T) (sizes []int) {
	t.Helper()
	exact.Pools(t)
	for range 3 {
		runtime.GC()
	}
	return realSizes(t)
}

func TestMadeCountsWhatTheRuntimeAllocates(t *testing.T) {
	sizes := poolsAlone(t)
	for _, arm := range arms {
		for _, w := range ways {
			var a Arm
			objects, _ := exact.CountersAfter(t, func() {
				runtime.GC() // what the arm before it held
				a = arm.create(16)
			}, func() { round(a, w, sizes) })
			made := a.Counts().Made
			// Beside memory: headers of 24 bytes or more, one each at most, and
			// what sync.Pool and the pool's classes keep for themselves.
			if objects < made || objects > 2*made+600 {
				t.Errorf("%s, %s: %d pieces of memory made, %d objects allocated", arm.name, w.name, made, objects)
			}
		}
	}
}

func TestAWarmPoolAllocatesNothingUnlessItDrops(t *testing.T) {
	sizes := poolsAlone(t)
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
				objects, bytes := exact.Counters(t, func() { round(a, w, sizes) })
				if made := a.Counts().Sub(before).Made; made != 0 || objects != 0 {
					t.Errorf("%s, %s, %d in flight: rounds of a warm pool make %d pieces of memory, and each allocates %d objects of %d bytes", arm.name, w.name, flight, made, objects, bytes)
				}
			}
		}
	}
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
	sizes := poolsAlone(t)
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
}

func TestDropAbove64KiBMakesEachLargeBufferAgain(t *testing.T) {
	sizes := poolsAlone(t)
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
}

func TestDropKeepsExactly64KiB(t *testing.T) {
	exact.Pools(t)
	for size, want := range map[int]uint64{64 << 10: 0, 64<<10 + 1: 1} {
		a := NewDrop64K(1)
		a.Known(size)
		before := a.Counts()
		a.Known(size)
		if made := a.Counts().Sub(before).Made; made != want {
			t.Errorf("a second buffer of %d bytes makes %d, want %d", size, made, want)
		}
	}
}

func TestOnlyAReserveKeepsBuffersForRareUses(t *testing.T) {
	sizes := poolsAlone(t)
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
}
