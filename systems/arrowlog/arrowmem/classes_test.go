package arrowmem

import "testing"

func TestClassesFit(t *testing.T) {
	last := 0
	for c := range classes {
		size := classSize(c)
		if size <= last || size%alignment != 0 {
			t.Errorf("class %d has %d bytes after %d", c, size, last)
		}
		if got := classOf(size); got != c {
			t.Errorf("%d bytes fall into class %d, want %d", size, got, c)
		}
		if got := classOf(last + 1); got != c {
			t.Errorf("%d bytes fall into class %d, want %d", last+1, got, c)
		}
		if last >= 256 && float64(size) > 1.25*float64(last)+1 {
			t.Errorf("class %d wastes: %d bytes after %d", c, size, last)
		}
		last = size
	}
	if last != largestClass {
		t.Errorf("the largest class has %d bytes, want %d", last, largestClass)
	}
}
