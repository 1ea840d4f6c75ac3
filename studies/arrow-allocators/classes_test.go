package arrowallocators

import "testing"

func TestASizeClassHoldsWhatItIsFor(t *testing.T) {
	for _, n := range []int{1, 63, 64, 65, 128, 129, 192, 193, 255, 256, 257, 320, 321, 384, 512, 513, 640, 641, 1 << 20, 1<<20 + 1, maxClass - 1, maxClass} {
		checkClass(t, n)
	}
	for n := 1; n < 1<<16; n++ {
		checkClass(t, n)
	}
}

func FuzzClassOf(f *testing.F) {
	f.Add(100)
	f.Fuzz(func(t *testing.T, n int) { checkClass(t, n) })
}

func checkClass(t *testing.T, n int) {
	t.Helper()
	class, ok := classOf(n)
	if want := 0 < n && n <= maxClass; ok != want {
		t.Fatalf("classOf(%d) = %d, %t, want %t", n, class, ok, want)
	}
	if !ok {
		return
	}
	size := classSize(class)
	if class < 0 || class >= classes || size < n || size%alignment != 0 {
		t.Fatalf("classOf(%d) = %d of %d bytes: outside of the table, too small or misaligned", n, class, size)
	}
	if class > 0 && classSize(class-1) >= n {
		t.Fatalf("classOf(%d) = %d of %d bytes, but class %d has %d", n, class, size, class-1, classSize(class-1))
	}
	if n > linear && size-n >= (size+3)/4 {
		t.Fatalf("classOf(%d) wastes %d of %d bytes", n, size-n, size)
	}
}

func TestTheLastClassIsTheLargest(t *testing.T) {
	if got := classSize(classes - 1); got != maxClass {
		t.Errorf("the last class has %d bytes, want %d", got, maxClass)
	}
}

// Go puts memory of a multiple of 64 bytes at a multiple of 64. If a runtime
// ever does not, alignedMake copes, and this test says so.
func TestGoMemoryOfAClassIsAligned(t *testing.T) {
	for class := range classes {
		if size := classSize(class); size <= 1<<20 {
			for range 20 {
				if b := make([]byte, size); misaligned(b) != 0 {
					t.Fatalf("make of %d bytes is %d beyond a multiple of %d", size, misaligned(b), alignment)
				}
			}
		}
	}
}

func TestTheAlignedPartStartsAtAMultiple(t *testing.T) {
	memory := alignedMake(10 * alignment)
	for shift := range 2 * alignment {
		b := alignedPart(memory[shift:shift+300+alignment-1], 300)
		if misaligned(b) != 0 || len(b) != 300 || cap(b) != 300 {
			t.Errorf("shifted by %d: misaligned by %d, length %d, capacity %d", shift, misaligned(b), len(b), cap(b))
		}
	}
}
