package arrowallocators

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// opened opens an arm for a test and closes it after, when nothing may be out.
func opened(t *testing.T, a Arm) Memory {
	t.Helper()
	m, err := a.Open()
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if m.Out != nil && m.Out() != 0 {
			t.Errorf("%d bytes are still out", m.Out())
		}
		if m.Close != nil {
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		}
	})
	return m
}

// eachMemory runs a test for each arm that has memory of its own.
func eachMemory(t *testing.T, test func(t *testing.T, m Memory)) {
	for _, a := range Arms() {
		t.Run(a.Name, func(t *testing.T) { test(t, opened(t, a)) })
	}
}

// eachRecycler runs a test for each arm that is built on Recycler.
func eachRecycler(t *testing.T, test func(t *testing.T, m Memory)) {
	for _, name := range []string{"recycle", "syncpool", "offheap"} {
		a, err := ArmNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { test(t, opened(t, a)) })
	}
}

var sizes = []int{1, 63, 64, 65, 200, 256, 257, 1000, 4096, 65_600, 131_072, 1 << 20, 1<<20 + 1, 5 << 20}

func TestMemoryIsAlignedAndAsLongAsAskedFor(t *testing.T) {
	eachMemory(t, func(t *testing.T, m Memory) {
		for _, n := range sizes {
			b := m.Allocate(n)
			if len(b) != n || misaligned(b) != 0 {
				t.Errorf("Allocate(%d): length %d, misaligned by %d", n, len(b), misaligned(b))
			}
			b = m.Reallocate(3*n, b)
			if len(b) != 3*n || misaligned(b) != 0 {
				t.Errorf("Reallocate to %d: length %d, misaligned by %d", 3*n, len(b), misaligned(b))
			}
			m.Free(b)
		}
	})
}

func TestMemoryIsZeroAlsoWhenItWasUsedBefore(t *testing.T) {
	eachMemory(t, func(t *testing.T, m Memory) {
		for _, n := range sizes {
			for range 2 {
				b := m.Allocate(n)
				if !m.Dirty && !zero(b) {
					t.Fatalf("Allocate(%d) returned old data", n)
				}
				fillWith(b, 0xAA)
				// Grown by one byte at a time at first: inside of a class.
				for _, to := range []int{n + 1, n + n/8 + 1, 2*n + 1} {
					before := len(b)
					if b = m.Reallocate(to, b); !all(b[:before], 0xAA) {
						t.Fatalf("Reallocate from %d to %d lost data", before, to)
					}
					if !zero(b[before:]) {
						t.Fatalf("Reallocate from %d to %d returned old data", before, to)
					}
					fillWith(b, 0xAA)
				}
				m.Free(b)
			}
		}
	})
}

// The Go allocator is left out: it returns what stood there before.
func TestMemoryIsZeroWhenItShrinksAndGrowsAgain(t *testing.T) {
	eachMemory(t, func(t *testing.T, m Memory) {
		if _, ok := m.Allocator.(*memory.GoAllocator); ok {
			t.Skip("arrow-go's Go allocator does not promise it")
		}
		b := m.Allocate(1000)
		fillWith(b, 0xAA)
		b = m.Reallocate(10, b)
		if b = m.Reallocate(900, b); !all(b[:10], 0xAA) || !zero(b[10:]) {
			t.Error("shrunk to 10 and grown to 900: old data after the first 10 bytes")
		}
		m.Free(b)
	})
}

func TestFreedMemoryIsUsedAgain(t *testing.T) {
	eachRecycler(t, func(t *testing.T, m Memory) {
		exact.Pools(t)
		for _, n := range sizes {
			b := m.Allocate(n)
			first := unsafe.SliceData(b)
			m.Free(b)
			// Another size of the same class, so that not the size decides.
			class, _ := classOf(n)
			again := m.Allocate(classSize(class))
			if unsafe.SliceData(again) != first {
				t.Errorf("%d bytes freed, the next of their class are elsewhere", n)
			}
			other := m.Allocate(n)
			if unsafe.SliceData(other) == first {
				t.Fatalf("%d bytes handed out twice", n)
			}
			m.Free(again)
			m.Free(other)
		}
	})
}

func TestReallocateFreesWhatItLeaves(t *testing.T) {
	eachRecycler(t, func(t *testing.T, m Memory) {
		exact.Pools(t)
		b := m.Allocate(64)
		first := unsafe.SliceData(b)
		b = m.Reallocate(4096, b)
		again := m.Allocate(64)
		if unsafe.SliceData(again) != first {
			t.Error("the old memory was not freed")
		}
		m.Free(again)
		m.Free(b)
	})
}

func TestReallocateMovesOnlyWhenItMust(t *testing.T) {
	eachRecycler(t, func(t *testing.T, m Memory) {
		b := m.Allocate(300) // of a class of 320
		first := unsafe.SliceData(b)
		for _, n := range []int{320, 1, 310} {
			if b = m.Reallocate(n, b); unsafe.SliceData(b) != first || len(b) != n {
				t.Fatalf("Reallocate to %d: moved, or length %d", n, len(b))
			}
		}
		if b = m.Reallocate(321, b); unsafe.SliceData(b) == first {
			t.Error("Reallocate to 321 did not move")
		}
		m.Free(b)
	})
}

func TestNothingIsAskedForAndGivenBack(t *testing.T) {
	eachRecycler(t, func(t *testing.T, m Memory) {
		for _, b := range [][]byte{m.Allocate(0), m.Reallocate(0, nil), m.Reallocate(0, m.Allocate(100))} {
			if b == nil || len(b) != 0 {
				t.Errorf("%v in place of an empty slice", b)
			}
			m.Free(b)
		}
		m.Free(nil)
		b := m.Reallocate(10, nil)
		if len(b) != 10 || !zero(b) {
			t.Errorf("Reallocate of nil to 10 bytes: %v", b)
		}
		m.Free(b)
	})
}

func TestANegativeSizePanicsAndNamesIt(t *testing.T) {
	eachRecycler(t, func(t *testing.T, m Memory) {
		for _, call := range []func(){func() { m.Allocate(-7) }, func() { m.Reallocate(-7, nil) }} {
			if text := panicOf(call); !strings.Contains(text, "-7 bytes") {
				t.Errorf("panic %q, want one that names -7 bytes", text)
			}
		}
	})
}

// A slice of 100 bytes has 112, which no class has: kept as a block of 128 it
// would reach beyond its object.
func TestForeignMemoryIsNotStretched(t *testing.T) {
	for _, r := range []*Recycler{NewLists(), NewSyncPool()} {
		foreign := [][]byte{make([]byte, 100), make([]byte, 100, 4096)[8:], make([]byte, 4096)[:100:100], alignedMake(4096)[8:136:136]}
		for _, b := range foreign {
			r.Free(b)
			r.out.Add(int64(len(b))) // it was never handed out
			for _, n := range []int{100, 112, 128, 4000, 4096} {
				got := r.Allocate(n)
				if overlap(got, b) {
					t.Errorf("foreign memory of capacity %d came back for %d bytes", cap(b), n)
				}
				r.Free(got)
			}
		}
	}
}

func TestWhatIsTooLargeIsMadeAndNotKept(t *testing.T) {
	eachRecycler(t, func(t *testing.T, m Memory) {
		b := m.Allocate(maxClass + 1)
		held := m.Held()
		m.Free(b)
		if m.Held() != held {
			t.Errorf("%d bytes are held after the free, %d before", m.Held(), held)
		}
	})
}

func TestListsKeepNoMoreThanTheirLimit(t *testing.T) {
	r := NewLists()
	var out [][]byte
	for range maxHeld/(1<<20) + 5 {
		out = append(out, r.Allocate(1<<20))
	}
	for _, b := range out {
		r.Free(b)
	}
	if r.Held() != maxHeld {
		t.Errorf("%d bytes are held, want %d", r.Held(), maxHeld)
	}
	for range maxHeld / (1 << 20) {
		r.Allocate(1 << 20)
	}
	if r.Held() != 0 {
		t.Errorf("%d bytes are held when all is out", r.Held())
	}
}

// TestMemoryHoldsWhatWasWritten plays random operations against slices of the
// test's own: no block is handed out twice, nothing is lost, all else is zero.
func TestMemoryHoldsWhatWasWritten(t *testing.T) {
	eachMemory(t, func(t *testing.T, m Memory) {
		for seed := range uint64(20) {
			play(t, m, rand.New(rand.NewPCG(seed, seed)), 300)
		}
	})
}

func FuzzRecycler(f *testing.F) {
	f.Add(uint64(1))
	r := NewLists()
	f.Fuzz(func(t *testing.T, seed uint64) {
		play(t, Memory{Allocator: r}, rand.New(rand.NewPCG(seed, seed)), 100)
	})
}

func play(t *testing.T, m Memory, random *rand.Rand, steps int) {
	t.Helper()
	_, stale := m.Allocator.(*memory.GoAllocator) // after it has shrunk
	type pair struct{ got, want []byte }
	var live []pair
	check := func(p pair) {
		if !bytes.Equal(p.got, p.want) {
			t.Fatalf("%d bytes changed, or are not zero", len(p.got))
		}
	}
	scribble := func(p pair) {
		from := random.IntN(len(p.got) + 1)
		for i := from; i < len(p.got); i++ {
			p.got[i] = byte(random.Uint32())
		}
		copy(p.want[from:], p.got[from:])
	}
	for range steps {
		n := 1 + random.IntN(1<<random.IntN(14))
		switch i := random.IntN(len(live) + 1); {
		case i == len(live):
			p := pair{m.Allocate(n), make([]byte, n)}
			if m.Dirty {
				clear(p.got)
			}
			check(p)
			scribble(p)
			live = append(live, p)
		case random.IntN(2) == 0:
			p := live[i]
			check(p)
			old := len(p.got)
			p.got = m.Reallocate(n, p.got)
			p.want = append(p.want[:min(n, old):min(n, old)], make([]byte, max(0, n-old))...)
			if stale && n > old {
				clear(p.got[old:])
			}
			check(p)
			scribble(p)
			live[i] = p
		default:
			check(live[i])
			m.Free(live[i].got)
			live[i] = live[len(live)-1]
			live = live[:len(live)-1]
		}
	}
	for _, p := range live {
		check(p)
		m.Free(p.got)
	}
}

func TestMemoryMayBeFreedByAnotherGoroutine(t *testing.T) {
	eachMemory(t, func(t *testing.T, m Memory) {
		handed := make(chan []byte, 16)
		end := func(b []byte) {
			if !all(b, b[0]) {
				t.Error("two goroutines have the same memory")
			}
			m.Free(b)
		}
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				random := rand.New(rand.NewPCG(uint64(g), 1))
				for range 500 {
					b := m.Allocate(1 + random.IntN(5000))
					fillWith(b, byte(g+1))
					select {
					case handed <- b:
					default:
						end(b)
					}
					select {
					case b := <-handed:
						end(b)
					default:
					}
				}
			})
		}
		wg.Wait()
		close(handed)
		for b := range handed {
			end(b)
		}
	})
}

func zero(b []byte) bool { return all(b, 0) }

func all(b []byte, v byte) bool {
	for _, x := range b {
		if x != v {
			return false
		}
	}
	return true
}

func fillWith(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}

func overlap(a, b []byte) bool {
	from, to := uintptr(unsafe.Pointer(unsafe.SliceData(a))), uintptr(unsafe.Pointer(unsafe.SliceData(b)))
	return from < to+uintptr(cap(b)) && to < from+uintptr(cap(a))
}

func panicOf(f func()) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text, _ = v.(string)
		}
	}()
	f()
	return "none"
}
