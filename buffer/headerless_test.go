package buffer

import (
	"testing"
	"unsafe"
)

func TestFreedMemoryIsUsedAgain(t *testing.T) {
	exactly(t)
	p := New(Options{})
	b := p.Bytes(9000)
	if len(b) != 9000 || cap(b) != 9472 {
		t.Fatalf("length %d, capacity %d, want 9000, 9472", len(b), cap(b))
	}
	if !p.Free(b[:17]) { // the length does not matter
		t.Fatal("Free refused memory of its own")
	}
	if c := p.Bytes(9400); unsafe.SliceData(c) != unsafe.SliceData(b) || len(c) != 9400 || cap(c) != 9472 {
		t.Errorf("got other memory, or length %d and capacity %d", len(c), cap(c))
	}
}

func TestFreeRefusesWhatCannotBeItsOwn(t *testing.T) {
	p := New(Options{})
	own := p.Bytes(9000)
	for name, b := range map[string][]byte{
		"nil":                  nil,
		"empty":                {},
		"an odd capacity":      make([]byte, 3000),
		"a cut start":          own[64:],
		"a cut capacity":       own[:9000:9000],
		"a class, not aligned": misaligned(128),
	} {
		before := p.Stats().Foreign
		if p.Free(b) {
			t.Errorf("%s: taken", name)
		}
		if got := p.Stats().Foreign; got != before+1 {
			t.Errorf("%s: %d counted, want 1", name, got-before)
		}
	}
	if n := cap(p.Bytes(3500)); n != 4096 {
		t.Errorf("a later Get has capacity %d, want 4096", n)
	}
}

// misaligned returns a slice of capacity size that begins at an odd address.
func misaligned(size int) []byte {
	m := makeAligned(2 * roundUp(size+1))
	return m[1 : 1+size : 1+size]
}

func TestWhatIsAboveMaxIsDropped(t *testing.T) {
	p := New(Options{Max: 4096})
	b := p.Bytes(5000)
	if len(b) != 5000 {
		t.Fatalf("length %d", len(b))
	}
	if p.Free(b) {
		t.Error("memory above Max was kept")
	}
	p.PutPtr(p.GetPtr(5000))
	if st := p.Stats(); st.Oversize != 2 || st.Dropped.Oversize != 2 || st.Foreign != 0 {
		t.Errorf("%+v", st)
	}
}

func TestPutPtrRestoresTheLength(t *testing.T) {
	exactly(t)
	for _, zero := range []Zero{ZeroNone, ZeroUsed} {
		s := New(Options{Zero: zero}).Sized(9000)
		for _, spoil := range []func(x *[]byte){
			func(x *[]byte) { *x = (*x)[:0] },
			func(x *[]byte) { *x = (*x)[:300] },
			func(x *[]byte) { *x = (*x)[:cap(*x)] },
			func(x *[]byte) { *x = append(*x, make([]byte, 9472-9000)...) },
		} {
			x := s.GetPtr()
			at := unsafe.SliceData(*x)
			spoil(x)
			s.PutPtr(x)
			x = s.GetPtr()
			if len(*x) != 9000 || unsafe.SliceData(*x) != at {
				t.Errorf("Zero %s: length %d, the same memory %t", zero, len(*x), unsafe.SliceData(*x) == at)
			}
			s.PutPtr(x)
		}
	}
}

func TestPutPtrRefusesWhatIsNotItsOwn(t *testing.T) {
	p := New(Options{})
	s := p.Sized(9000)
	for name, spoil := range map[string]func(x *[]byte) *[]byte{
		"nil":                   func(*[]byte) *[]byte { return nil },
		"a nil slice":           func(*[]byte) *[]byte { return new([]byte) },
		"a cut start":           func(x *[]byte) *[]byte { *x = (*x)[1:]; return x },
		"a cut capacity":        func(x *[]byte) *[]byte { *x = (*x)[:9000:9000]; return x },
		"append's other memory": func(x *[]byte) *[]byte { *x = append(*x, make([]byte, 1000)...); return x },
		"another's 9000 bytes":  func(x *[]byte) *[]byte { *x = make([]byte, 9000, 9001); return x },
	} {
		before := p.Stats().Foreign
		s.PutPtr(spoil(s.GetPtr()))
		if got := p.Stats().Foreign; got != before+1 {
			t.Errorf("%s: %d counted, want 1", name, got-before)
		}
	}
	for range 20 {
		if x := s.GetPtr(); len(*x) != 9000 || cap(*x) != 9472 {
			t.Fatalf("GetPtr returned length %d, capacity %d", len(*x), cap(*x))
		}
	}
}

func TestSizedOfOneClassShareTheirMemory(t *testing.T) {
	exactly(t)
	p := New(Options{})
	x := p.Sized(9000).GetPtr()
	p.Sized(9000).PutPtr(x)
	y := p.Sized(9400).GetPtr()
	if unsafe.SliceData(*y) != unsafe.SliceData((*x)[:1]) || len(*y) != 9400 { //poolproof:ignore x is y: that is what is tested
		t.Errorf("other memory, or length %d", len(*y))
	}
}
