package buffer

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

func TestTheDefaultClasses(t *testing.T) {
	classes := defaultClasses(defaultMax)
	if len(classes) != 56 || classes[0] != 64 || classes[35] != 32<<10 || classes[36] != 40<<10 || classes[55] != 1<<20 {
		t.Errorf("%d classes: %v", len(classes), classes)
	}
	if !slices.IsSorted(classes) {
		t.Errorf("classes are not sorted: %v", classes)
	}
	larger := defaultClasses(64 << 20)
	if !slices.Equal(larger[:56], classes) || len(larger) != 56+4*6 || larger[len(larger)-1] != 64<<20 {
		t.Errorf("classes to 64 MiB: %v", larger)
	}
	if got := defaultClasses(9000); got[len(got)-1] != 9472 {
		t.Errorf("classes that hold 9000 end with %d, want 9472", got[len(got)-1])
	}
}

func TestEveryRequestGetsTheSmallestClassThatHoldsIt(t *testing.T) {
	powers := []int{64}
	for powers[len(powers)-1] < 1<<20 {
		powers = append(powers, 2*powers[len(powers)-1])
	}
	for _, c := range []struct {
		name    string
		options Options
	}{
		{"default", Options{}},
		{"Max inside a class", Options{Max: 9000}},
		{"Max of 2 MiB", Options{Max: 2 << 20}},
		{"powers of two", Options{Classes: powers}},
		{"one", Options{Classes: []int{64}}},
		{"irregular", Options{Classes: []int{128, 1024, 40 << 10, 40<<10 + 64, 100 << 10}}},
		{"cut by Max", Options{Classes: powers, Max: 5000}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := New(c.options)
			s := &p.plain
			for n := 0; n <= s.max; n++ {
				i := s.of(n)
				if size := s.pool.options.Classes[i]; size < n {
					t.Fatalf("%d bytes get class %d", n, size)
				}
				if i > 0 && s.pool.options.Classes[i-1] >= n {
					t.Fatalf("%d bytes get class %d though %d holds them", n, s.pool.options.Classes[i], s.pool.options.Classes[i-1])
				}
			}
			last := p.options.Classes[len(p.options.Classes)-1]
			if s.max != last {
				t.Errorf("Max is %d and the last class %d", s.max, last)
			}
			if b := p.Get(last); b.home.size != last {
				t.Errorf("Max is not kept")
			}
			if b := p.Get(last + 1); b.home.size != 0 {
				t.Errorf("Max+1 is kept")
			}
		})
	}
}

// The rest of the range is too long to go through: the edges of each class.
func TestTheClassesOfAVeryLargeMax(t *testing.T) {
	p := New(Options{Max: largestClass})
	s := &p.plain
	for i := 1; i < len(s.pool.options.Classes); i++ {
		below, size := s.pool.options.Classes[i-1], s.pool.options.Classes[i]
		for _, n := range []int{below + 1, below + 1 + rand.IntN(size-below), size} {
			if got := s.of(n); got != i {
				t.Fatalf("%d bytes get class %d (%d), want %d (%d)", n, got, s.pool.options.Classes[got], i, size)
			}
		}
	}
}

// A new Go may have other size classes. Then a class that is none of them costs
// more memory than it says.
func TestClassesAreExactInTheRuntime(t *testing.T) {
	for _, size := range defaultClasses(defaultMax) {
		if got := cap(append([]byte(nil), make([]byte, size)...)); got != size {
			t.Errorf("class %d takes %d bytes of the heap", size, got)
		}
	}
}

func TestARequestFrom257BytesUpGetsLessThanFiveQuarters(t *testing.T) {
	classes := defaultClasses(defaultMax)
	for i, size := range classes[1:] {
		if asked := classes[i] + 1; asked > 256 && 4*size >= 5*asked {
			t.Errorf("%d bytes get class %d", asked, size)
		}
	}
}

func TestMemoryBeginsAtAMultipleOf64(t *testing.T) {
	p := New(Options{})
	small := New(Options{Max: 64})
	for _, size := range defaultClasses(defaultMax) {
		count := 50
		if size > 64<<10 {
			count = 3
		}
		for range count {
			if at := address(p.Get(size).b); at%64 != 0 {
				t.Fatalf("a Buffer of class %d begins at %#x", size, at)
			}
			if at := address(p.Bytes(size)); at%64 != 0 {
				t.Fatalf("Bytes of class %d begins at %#x", size, at)
			}
			// Above Max no class rounds the size.
			if b := small.Get(size + 1); address(b.b)%64 != 0 || b.Len() != size+1 {
				t.Fatalf("a Buffer of %d bytes above Max begins at %#x and has %d", size+1, address(b.b), b.Len())
			}
		}
	}
}

func TestMemoryIsAlignedWhateverTheAllocatorDoes(t *testing.T) {
	for range 200 {
		_ = make([]byte, 1+rand.IntN(100)) // odd neighbours
		m := makeAligned(64 * (1 + rand.IntN(200)))
		if uintptr(unsafe.Pointer(&m[0]))%64 != 0 || len(m) != cap(m) {
			t.Fatalf("%d bytes of %d begin at %p", len(m), cap(m), &m[0])
		}
	}
}

// A default class is found without a search up to wideMax.
func TestTheTableNamesTheVeryClassTo1MiB(t *testing.T) {
	x := makeIndex(defaultClasses(64 << 20))
	for n := fineMax + 1; n <= wideMax; n++ {
		if got, want := int(x.wide[(n-1)/wideStep]), x.of(n); got != want {
			t.Fatalf("the table says %d for %d bytes, want %d", got, n, want)
		}
	}
}

// The ends of the tables and of the classes: a slice of any capacity may be given
// to Free.
func TestFreeTakesNothingThatIsJustAboveAClass(t *testing.T) {
	for _, max := range []int{64, 9472, fineMax, fineMax + 8<<10, defaultMax, 2 << 20} {
		p := New(Options{Max: max})
		for _, size := range []int{1, max - 1, max + 1, fineMax - 1, fineMax + 1, wideMax - 1, wideMax + 1} {
			before := p.Stats()
			if p.Free(makeAligned(size)) {
				t.Errorf("Max %d: a slice of %d bytes was taken", max, size)
			}
			after := p.Stats()
			foreign, dropped := after.Foreign-before.Foreign, after.Dropped.Oversize-before.Dropped.Oversize
			if above := size > max; foreign+dropped != 1 || above != (dropped == 1) {
				t.Errorf("Max %d: a slice of %d bytes is counted %d times as foreign and %d times as above Max", max, size, foreign, dropped)
			}
		}
	}
}
