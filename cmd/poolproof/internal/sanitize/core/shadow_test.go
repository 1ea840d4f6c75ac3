package core

import (
	"encoding/binary"
	"testing"
)

// window is the heap of the tests: some address, and as much of it as one call
// of Cover makes usable.
const (
	windowLow  = uintptr(0xc0 << 32)
	windowSize = uintptr(coverStep)
)

func newShadow(t testing.TB) *Shadow {
	t.Helper()
	s := new(Shadow)
	space := ShadowSpace(windowSize)
	s.Init(windowLow, memory(t, space), space)
	if !s.Cover(windowLow + 1) {
		t.Fatal("no room for the first window")
	}
	return s
}

func TestAWindowGrowsUntilItsSpaceIsUsed(t *testing.T) {
	s := newShadow(t)
	if s.size < windowSize || !s.Covers(windowLow, windowSize) || s.Covers(windowLow, s.size+1) || s.Covers(windowLow-8, 16) {
		t.Errorf("a window of %d bytes", s.size)
	}
	if s.Cover(windowLow+s.size+8) || s.Cover(windowLow-8) {
		t.Error("covers more than it has space for")
	}
	if s.Pooled(windowLow-1, 1<<20) || s.Pooled(windowLow+s.size, 8) || s.Pooled(0, 8) || s.Pooled(^uintptr(0), 8) {
		t.Error("something outside of the window is in a pool")
	}
}

func TestAGlanceSeesTheGranuleOfTheLastByte(t *testing.T) {
	s := newShadow(t)
	for n := uintptr(1); n <= 64; n++ {
		for from := uintptr(0); from < 8; from++ {
			last := windowLow + 800 + from + n - 1
			s.Mark(last&^7, 8)
			if s.Clean(windowLow+800+from, n) {
				t.Errorf("%d bytes from byte %d on are clean, and the last is in a pool", n, from)
			}
			s.Unmark(last&^7, 8)
		}
	}
}

func TestAnAccessIsSeenIfItTouchesAGranuleOfTheRange(t *testing.T) {
	s := newShadow(t)
	const at, n = windowLow + 800, 200
	s.Mark(at, n)
	for _, tt := range []struct {
		name    string
		addr, n uintptr
		want    bool
	}{
		{"its first byte", at, 1, true},
		{"its last byte", at + n - 1, 1, true},
		{"all of it", at, n, true},
		{"nothing at its start", at, 0, false},
		{"the byte before it", at - 1, 1, false},
		{"eight bytes across its start", at - 4, 8, true},
		{"eight bytes before it", at - 8, 8, false},
		{"sixteen bytes up to it", at - 16, 16, false},
		{"57 bytes up to it", at - 57, 57, false},
		{"58 bytes that end with its first", at - 57, 58, true},
		{"eight whole granules up to it", at - 64, 64, false},
		{"eight whole granules far from it", windowLow, 64, false},
		{"its first granule and seven before it", at - 56, 64, true},
		{"much before it", windowLow, 800, false},
		{"much that ends in it", windowLow, 801, true},
		{"right behind its last granule", at + n, 1, false},
		{"much behind it", at + n, 100000, false},
		{"from far before it to far behind it", windowLow, 100000, true},
		{"to the end of the window and beyond", windowLow, 1 << 40, true},
	} {
		if got := s.Pooled(tt.addr, tt.n); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
		if s.Clean(tt.addr, tt.n) != (!tt.want && (tt.n <= 57 || tt.addr < windowLow)) && (tt.n <= 57 || tt.n > 64) {
			t.Errorf("%s: clean %v", tt.name, !tt.want)
		}
		if got := s.FirstPooled(tt.addr, tt.n) != 0; got != tt.want && tt.n > 0 {
			t.Errorf("first of %s: %v", tt.name, got)
		}
	}
}

// FuzzShadow does the same to a Shadow and to a plain model: a map from granule
// to the range that it belongs to.
func FuzzShadow(f *testing.F) {
	f.Add([]byte("\x00\x01\x00\x20\x01\x01\x00\x08\x02\x01\x00\x08\x03\x00\xff\x40"))
	f.Add([]byte("\x04\x00\x00\x3f\x00\x10\x00\x3f\x01\x10\x00\x3f\x08\x10\x00\x3f\x08\x08\x00\x3f\x08\x09\x00\x3f"))
	f.Add([]byte{0, 0, 0, 255, 3, 0, 1, 255, 0, 3, 8, 16, 2, 0, 0, 0, 4, 0, 0, 99})
	f.Fuzz(func(t *testing.T, ops []byte) {
		const granules = 1024
		s := newShadow(t)
		type owner struct{ start, n, pooled int }
		model := make([]*owner, granules)
		free := func(from, n int) bool {
			for i := from; i < from+n; i++ {
				if i >= granules || model[i] != nil {
					return false
				}
			}
			return true
		}
		for ; len(ops) >= 4; ops = ops[4:] {
			at := int(binary.LittleEndian.Uint16(ops[1:])) % granules
			size := uintptr(ops[3]) + 1
			n := int(size+granule-1) / granule
			addr := windowLow + uintptr(at)*granule
			switch ops[0] % 5 {
			case 0: // a range that nobody has
				if free(at, n) {
					o := &owner{at, n, 0}
					for i := at; i < at+n; i++ {
						model[i] = o
					}
					s.Track(addr)
				}
			case 1:
				if o := model[at]; o != nil {
					o.pooled = 1
					s.Mark(windowLow+uintptr(o.start)*granule, uintptr(o.n)*granule)
				}
			case 2:
				if o := model[at]; o != nil {
					o.pooled = 0
					s.Unmark(windowLow+uintptr(o.start)*granule, uintptr(o.n)*granule)
				}
			case 3:
				if o := model[at]; o != nil {
					s.Forget(windowLow+uintptr(o.start)*granule, uintptr(o.n)*granule)
					for i := o.start; i < o.start+o.n; i++ {
						model[i] = nil
					}
				}
			}
			compare(t, s, model, func(o *owner) (int, bool) {
				if o == nil {
					return 0, false
				}
				return o.start, o.pooled == 1
			}, addr+uintptr(ops[0]%8), size)
		}
	})
}

// compare asks a Shadow and its model about one range.
func compare[O any](t *testing.T, s *Shadow, model []*O, of func(*O) (start int, pooled bool), addr, n uintptr) {
	t.Helper()
	first, firstStart, empty := uintptr(0), uintptr(0), true
	for i := int((addr - windowLow) / granule); i < len(model) && windowLow+uintptr(i)*granule < addr+n; i++ {
		start, pooled := of(model[i])
		at := windowLow + uintptr(i)*granule
		if pooled && first == 0 {
			first = at
		}
		if model[i] != nil && start == i && firstStart == 0 {
			firstStart = at
		}
		empty = empty && !pooled && (model[i] == nil || start != i)
	}
	if got := s.Pooled(addr, n); got != (first != 0) {
		t.Fatalf("Pooled(%#x, %d) = %v", addr, n, got)
	}
	if s.Clean(addr, n) && first != 0 || first == 0 && n <= 57 && !s.Clean(addr, n) {
		t.Fatalf("Clean(%#x, %d) = %v, first pooled at %#x", addr, n, s.Clean(addr, n), first)
	}
	if got := s.FirstPooled(addr, n); got != first {
		t.Fatalf("FirstPooled(%#x, %d) = %#x, want %#x", addr, n, got, first)
	}
	if got := s.FirstStart(addr, n); got != firstStart {
		t.Fatalf("FirstStart(%#x, %d) = %#x, want %#x", addr, n, got, firstStart)
	}
	if got := s.Empty(addr, n); got != empty {
		t.Fatalf("Empty(%#x, %d) = %v", addr, n, got)
	}
	if first != 0 {
		start, _ := of(model[(first-windowLow)/granule])
		if got, want := s.Start(first), windowLow+uintptr(start)*granule; got != want {
			t.Fatalf("Start(%#x) = %#x, want %#x", first, got, want)
		}
	}
}
