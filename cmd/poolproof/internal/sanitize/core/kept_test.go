package core

import (
	"reflect"
	"runtime"
	"testing"
	"unsafe"
)

func newAges(t *testing.T) *Ages {
	a := new(Ages)
	a.Init(memory(t, AgesMemory))
	return a
}

func TestAgesAreComparedWithGets(t *testing.T) {
	a := newAges(t)
	const one, two = 0x00c0_1234_0000, 0x00c0_1234_2000
	if a.Older(one, 7) {
		t.Error("nothing is known, and it is older")
	}
	a.Born(one, 6)
	a.Born(two, 7)
	for _, c := range []struct {
		addr  uintptr
		get   uint32
		older bool
	}{{one, 7, true}, {one, 6, false}, {two, 8, true}, {two, 7, false}, {two + 0x2000, LastClock, false}} {
		if a.Older(c.addr, c.get) != c.older {
			t.Errorf("%#x at %d: older is %v", c.addr, c.get, !c.older)
		}
	}
	a.Born(one, 8) // the memory is used again
	if a.Older(one, 7) {
		t.Error("the age of what was there before")
	}
	a.Born(one, LastClock)
	if a.Older(one, LastClock) {
		t.Error("older than the end of the count")
	}
}

func TestAnAgeThatIsForgottenIsNotKnown(t *testing.T) {
	a := newAges(t)
	const first = uintptr(0x00c0_0000_0000)
	a.Born(first, 1)
	other := first
	for a.slot(uint64(other)>>pageBits) != a.slot(uint64(first)>>pageBits) || other == first {
		other += 1 << pageBits
	}
	a.Born(other, 2)
	if a.Older(first, 9) || !a.Older(other, 9) {
		t.Error("two pages with one entry: the last one holds")
	}
}

func TestWhatIsKeptIsFoundInEachField(t *testing.T) {
	type fields struct {
		n      int
		text   string
		in     []byte
		nested struct{ window []byte }
		to     *[LargeObject]byte
		small  []byte
	}
	h, l, a := newHeap(t), newLayouts(t), newAges(t)
	const get = 5
	page := func(age uint32) []byte { // a large object is a whole number of pages
		b := h.bytes(LargeObject + 2<<pageBits)
		delete(h.objects, addressOf(b))
		start := (addressOf(b) + 1<<pageBits - 1) &^ (1<<pageBits - 1)
		b = b[start-addressOf(b):][:LargeObject:LargeObject]
		h.objects[start] = LargeObject
		a.Born(start, age)
		return b
	}
	old := [4][]byte{page(1), page(2), page(3), page(4)}
	x := place(h, &fields{text: unsafe.String(&old[0][8], 16), in: old[1][:0], to: (*[LargeObject]byte)(old[2]), small: h.bytes(1000)})
	x.nested.window = old[3][100:200]

	found := func() (slots map[uint32]uintptr) {
		slots = map[uint32]uintptr{}
		for i := uint32(0); ; {
			k, ok := a.Kept(uintptr(unsafe.Pointer(x)), l.Add(descriptor(reflect.TypeFor[fields]())), get, &i)
			if !ok {
				return slots
			}
			if k.Size != LargeObject {
				t.Errorf("%d bytes", k.Size)
			}
			slots[k.Slot] = k.Addr
		}
	}
	want := map[uint32]uintptr{
		uint32(unsafe.Offsetof(x.text)): addressOf(old[0]), uint32(unsafe.Offsetof(x.in)): addressOf(old[1]),
		uint32(unsafe.Offsetof(x.to)): addressOf(old[2]), uint32(unsafe.Offsetof(x.nested)): addressOf(old[3]),
	}
	if got := found(); !reflect.DeepEqual(got, want) {
		t.Errorf("kept %v, want %v", got, want)
	}
	// What came after the Get may be the object's own.
	for _, b := range old {
		a.Born(addressOf(b), get)
	}
	if got := found(); len(got) != 0 {
		t.Errorf("made after the Get, and kept: %v", got)
	}
	runtime.KeepAlive(old)
}
