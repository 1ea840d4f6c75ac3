package core

import (
	"bufio"
	"bytes"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

// heap is a fake heap: the memory of real Go values, each said to be an object
// of a heap.
type heap struct{ objects map[uintptr]uintptr }

func newHeap(t *testing.T) *heap {
	h := &heap{map[uintptr]uintptr{}}
	fakeHeap = h.object
	t.Cleanup(func() { fakeHeap = func(uintptr) (uintptr, uintptr) { return 0, 0 } })
	return h
}

func (h *heap) object(addr uintptr) (start, room uintptr) {
	for start, room := range h.objects {
		if start <= addr && addr < start+room {
			return start, room
		}
	}
	return 0, 0
}

// bytes allocates an array that starts an object.
func (h *heap) bytes(n int) []byte {
	words := make([]uint64, n/8+1)
	b := unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), n)
	h.objects[addressOf(b)] = uintptr(n)
	return b
}

func addressOf[E any](s []E) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }

// placed makes values escape: what is on a stack moves when the stack grows.
var placed any

// place makes a value an object of the heap.
func place[T any](h *heap, x *T) *T {
	placed = x
	h.objects[uintptr(unsafe.Pointer(x))] = unsafe.Sizeof(*x)
	return x
}

func newLayouts(t *testing.T, truncated ...string) *Layouts {
	t.Helper()
	l := new(Layouts)
	text := strings.Join(truncated, "\n")
	list := memory(t, uintptr(len(text)+1))
	copy(unsafe.Slice((*byte)(list), len(text)), text)
	l.Init(memory(t, LayoutReserve), memory(t, LayoutMemory), NewFieldRules(list, uintptr(len(text))))
	return l
}

// ranges are addresses and sizes.
type ranges map[uintptr]uintptr

func owned[T any](l *Layouts, x *T, before *Family) ranges {
	if before == nil {
		before = new(Family)
	}
	var f Family
	l.Owned(&f, uintptr(unsafe.Pointer(x)), l.Add(descriptor(reflect.TypeFor[T]())), before, nil, 0, 0)
	runtime.KeepAlive(x)
	return f.ranges()
}

func (f *Family) ranges() ranges {
	r := ranges{}
	for _, m := range f.Members[:f.Len] {
		r[m.Addr] = m.Size
	}
	return r
}

// born is the family of an object that New has made with the given
// allocations.
func born[T any](l *Layouts, x *T, allocated ...uintptr) *Family {
	var b Birth
	for _, addr := range allocated {
		_, room := fakeHeap(addr)
		b.Add(addr, room)
	}
	f := new(Family)
	l.Born(f, uintptr(unsafe.Pointer(x)), l.Add(descriptor(reflect.TypeFor[T]())), &b, 0)
	runtime.KeepAlive(x)
	return f
}

func check(t *testing.T, what string, got ranges, want ...[]byte) {
	t.Helper()
	expect := ranges{}
	for _, b := range want {
		expect[addressOf(b)] = uintptr(cap(b))
	}
	if !maps.Equal(got, expect) {
		t.Errorf("%s: owns %v, want %v", what, got, expect)
	}
}

type plain struct {
	_   int
	buf []byte
}

type nested struct {
	_     [3]int
	inner struct{ Deep plain }
	pair  [2]plain
	many  [100]plain
}

type linked struct {
	next *linked
	buf  []byte
}

func TestAFieldAloneProvesNothing(t *testing.T) {
	h, l := newHeap(t), newLayouts(t)
	x := place(h, &plain{buf: h.bytes(64)})
	check(t, "an array from somewhere", owned(l, x, nil))
	check(t, "an array from somewhere, empty", owned(l, place(h, &plain{buf: h.bytes(64)[:0]}), nil))
}

func TestWhatNewAllocatedAndLeftInPlaceIsOwned(t *testing.T) {
	h, l := newHeap(t), newLayouts(t)
	a, other := h.bytes(64), h.bytes(64)
	x := place(h, &plain{buf: a})
	before := born(l, x, addressOf(a))
	check(t, "after New", before.ranges(), a)
	check(t, "in place", owned(l, x, before), a)
	x.buf = a[:0]
	check(t, "in place, cut", owned(l, x, before), a)
	x.buf = a[8:]
	check(t, "a window into it", owned(l, x, before))
	x.buf = other
	check(t, "replaced by a stranger", owned(l, x, before))
	x.buf = nil
	check(t, "gone", owned(l, x, before))

	older := place(h, &plain{buf: other})
	check(t, "an older array", born(l, older, addressOf(a)).ranges())
}

func TestAnArrayInAnotherFieldIsNotInPlace(t *testing.T) {
	type two struct{ a, b []byte }
	h, l := newHeap(t), newLayouts(t)
	array := h.bytes(64)
	x := place(h, &two{a: array})
	before := born(l, x, addressOf(array))
	x.a, x.b = nil, array
	check(t, "moved", owned(l, x, before))
	x.a, x.b = array, array
	check(t, "in both", owned(l, x, before), array)
}

func TestArraysThatFieldsExchangeAreInPlace(t *testing.T) {
	type three struct{ a, b, c []byte }
	h, l := newHeap(t), newLayouts(t)
	first, second, third, other := h.bytes(64), h.bytes(64), h.bytes(64), h.bytes(64)
	x := place(h, &three{first, second, third})
	before := born(l, x, addressOf(first), addressOf(second), addressOf(third))
	x.a, x.b = x.b, x.a
	check(t, "exchanged", owned(l, x, before), first, second, third)
	x.a, x.b, x.c = third, first, second
	check(t, "moved around", owned(l, x, before), first, second, third)
	x.a, x.b, x.c = other, first, third
	check(t, "one has come back, and a stranger is where it was", owned(l, x, before), third)
	x.a, x.b, x.c = second, nil, third
	check(t, "one is gone, and one has moved", owned(l, x, before), third)
	x.a, x.b, x.c = second[8:], first, third
	check(t, "a window into one", owned(l, x, before), third)

	y := place(h, &three{a: other})
	theirs := born(l, y, addressOf(other))
	x.a, x.b, x.c, y.a = other, second, third, first
	check(t, "exchanged with another object", owned(l, x, before), second, third)
	check(t, "exchanged with another object, there", owned(l, y, theirs))
}

func TestAPointerToASliceOwnsItsArray(t *testing.T) {
	h, l := newHeap(t), newLayouts(t)
	array := h.bytes(64)
	x := array
	check(t, "*[]byte", owned(l, place(h, &x), nil), array)
	x = array[:0]
	check(t, "*[]byte that is empty", owned(l, place(h, &x), nil), array)
	x = array[:16]
	check(t, "*[]byte that may be the first of several windows", owned(l, place(h, &x), nil), x[:16:16])
	made := born(l, place(h, &array), addressOf(array))
	y := array[:16]
	check(t, "*[]byte that New made", owned(l, place(h, &y), made), array)
	x = array[16:32:48]
	check(t, "*[]byte that is a window", owned(l, place(h, &x), nil), x[:16:16])
	x = nil
	check(t, "*[]byte that is nil", owned(l, place(h, &x), nil))
	rows := [][]byte{array}
	h.objects[addressOf(rows)] = 24
	got := owned(l, place(h, &rows), nil)
	if len(got) != 1 || got[addressOf(rows)] != 24 {
		t.Errorf("*[][]byte owns %v", got)
	}
}

func TestAnArrayOfNewThatHasMovedToAnotherPartIsNotInPlace(t *testing.T) {
	type parent struct{ left, right *plain }
	h, l := newHeap(t), newLayouts(t)
	a, b := h.bytes(64), h.bytes(64)
	left, right := place(h, &plain{buf: a}), place(h, &plain{buf: b})
	x := place(h, &parent{left, right})
	before := born(l, x, addressOf(a), addressOf(b), uintptr(unsafe.Pointer(left)), uintptr(unsafe.Pointer(right)))
	if got := owned(l, x, before); len(got) != 4 {
		t.Fatalf("owns %v of two parts with an array each", got)
	}
	left.buf, right.buf = b, a
	if got := owned(l, x, before); len(got) != 2 {
		t.Errorf("owns %v, want the two parts alone", got)
	}
}

func TestAnArrayOfNewThatIsLargerThanWhatNewLeftIsNotInPlace(t *testing.T) {
	type two struct{ a, b []byte }
	h, l := newHeap(t), newLayouts(t)
	first, second := h.bytes(64), h.bytes(64)
	x := place(h, &two{first[:0:32], second})
	before := born(l, x, addressOf(first), addressOf(second))
	x.a, x.b = second, first
	check(t, "exchanged, and extended", owned(l, x, before), second)
	x.a, x.b = second, first[:0:32]
	check(t, "exchanged", owned(l, x, before), second, first[:0:32])
}

func TestAnArrayThatMadeRoomForAnotherPartsIsNotInPlace(t *testing.T) {
	type part struct{ a, b []byte }
	type parent struct{ left, right *part }
	h, l := newHeap(t), newLayouts(t)
	first, second, third := h.bytes(64), h.bytes(64), h.bytes(64)
	left, right := place(h, &part{a: first, b: second}), place(h, &part{a: third})
	x := place(h, &parent{left, right})
	before := born(l, x, addressOf(first), addressOf(second), addressOf(third), uintptr(unsafe.Pointer(left)), uintptr(unsafe.Pointer(right)))
	if got := owned(l, x, before); len(got) != 5 {
		t.Fatalf("owns %v of two parts with three arrays", got)
	}
	// Two fields of one part would have exchanged theirs; here the second holds that of the other part.
	left.a, left.b, right.a = second, third, nil
	if got := owned(l, x, before); len(got) != 2 {
		t.Errorf("owns %v, want the two parts alone", got)
	}
}

type rowed struct {
	_    int
	rows [][]byte
}

func TestAllRowsUpToALimitBelongToTheirField(t *testing.T) {
	const pkg = "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core."
	h, l := newHeap(t), newLayouts(t, "+"+pkg+"rowed.rows", "+"+pkg+"rowed.rows[]")
	rows := make([][]byte, 9)
	for i := range rows {
		rows[i] = h.bytes(64)
	}
	h.objects[addressOf(rows)] = 9 * 24
	x := place(h, &rowed{rows: rows})
	if got := owned(l, x, nil); len(got) != 10 {
		t.Errorf("owns %d ranges, want the array and its 9 rows", len(got))
	}
}

type behindInterface struct {
	_ int
	w any
	r interface{ Len() int }
}

func (p *plain) Len() int { return len(p.buf) }

// What New made is owned behind interfaces, too.
func TestWhatAnInterfaceRefersToIsOwned(t *testing.T) {
	h, l := newHeap(t), newLayouts(t)
	p, q := place(h, &plain{}), place(h, &plain{})
	x := place(h, &behindInterface{w: p, r: q})
	before := born(l, x, uintptr(unsafe.Pointer(p)), uintptr(unsafe.Pointer(q)))
	if got := owned(l, x, before); len(got) != 2 {
		t.Errorf("owns %v", got)
	}
	x.w, x.r = 3, nil
	if got := owned(l, x, before); len(got) != 0 {
		t.Errorf("owns %v, of a number and nil", got)
	}
}

func TestWhatTheFirstNewMadeForAFieldThatOthersAreStoredInIsNotTrusted(t *testing.T) {
	const pkg = "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core."
	h, l := newHeap(t), newLayouts(t, "?"+pkg+"plain.buf")
	array := h.bytes(64)
	x := place(h, &plain{buf: array})
	var b Birth
	b.Add(addressOf(array), 64)
	f := new(Family)
	for _, b.First = range []bool{true, false} {
		l.Born(f, uintptr(unsafe.Pointer(x)), l.Add(descriptor(reflect.TypeFor[plain]())), &b, 0)
		if got := f.Len == 0; got != b.First {
			t.Errorf("the pool's first New: %v, not owned: %v", b.First, got)
		}
	}
	check(t, "of a later New", owned(l, x, f), array)
}

type keptPart struct{ n [4]int }

func TestAPartThatOtherCodeKeepsIsNotOwned(t *testing.T) {
	const pkg = "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core."
	type whole struct {
		part *keptPart
		any  any
		list []*keptPart
		anys []any
		m    map[int]*keptPart
	}
	h := everywhere(t)
	p := place(h, &keptPart{})
	for name, x := range map[string]*whole{
		"in a field":               {part: p},
		"in an interface":          {any: p},
		"in a slice":               {list: []*keptPart{p}},
		"in a slice of interfaces": {anys: []any{p}},
		"in a map":                 {m: map[int]*keptPart{1: p}},
	} {
		for line, want := range map[string]bool{"": true, "=2" + pkg + "keptPart": false} {
			l := newLayouts(t, line)
			place(h, x)
			all := []uintptr{uintptr(unsafe.Pointer(p)), addressOf(x.list), addressOf(x.anys), reflect.ValueOf(x.m).Pointer()}
			if _, ok := owned(l, x, born(l, x, all...))[uintptr(unsafe.Pointer(p))]; ok != want {
				t.Errorf("%s, %q: owned %v", name, line, ok)
			}
		}
	}
}

// The parts of an object keep what is theirs, also where those before them are gone.
func TestAPartIsTheSameOneWithoutThoseBeforeIt(t *testing.T) {
	type parent struct{ left, right *plain }
	h, l := newHeap(t), newLayouts(t)
	a, b := h.bytes(64), h.bytes(64)
	left, right := place(h, &plain{buf: a}), place(h, &plain{buf: b})
	x := place(h, &parent{left, right})
	before := born(l, x, addressOf(a), addressOf(b), uintptr(unsafe.Pointer(left)), uintptr(unsafe.Pointer(right)))
	x.left = nil
	if got := owned(l, x, before); len(got) != 2 || got[addressOf(b)] == 0 {
		t.Errorf("owns %v, want the right part and its array", got)
	}
	left.buf = b // of another part now
	x.left, x.right = nil, left
	if got := owned(l, x, before); len(got) != 0 {
		t.Errorf("owns %v, of parts that have changed their places", got)
	}
}

func TestOfALongSliceTheFirstElementsAreLookedAt(t *testing.T) {
	h, l := newHeap(t), newLayouts(t)
	p := place(h, &plain{})
	for at, want := range map[int]int{0: 2, mostRows - 1: 2, mostRows: 1, 90: 1} {
		x := place(h, &struct{ all []*plain }{make([]*plain, 100)})
		x.all[at] = p
		h.objects[addressOf(x.all)] = 800
		if got := owned(l, x, born(l, x, addressOf(x.all), uintptr(unsafe.Pointer(p)))); len(got) != want {
			t.Errorf("element %d: owns %v", at, got)
		}
	}
	type lists struct{ first, second []*plain }
	x := place(h, &lists{make([]*plain, mostRows), make([]*plain, mostRows/4)}) // more than there is room for
	var all []uintptr
	for _, list := range [][]*plain{x.second, x.first} { // what is made first is in the notes of New
		h.objects[addressOf(list)] = uintptr(len(list)) * 8
		all = append(all, addressOf(list))
		for i := range list {
			list[i] = place(h, &plain{})
			all = append(all, uintptr(unsafe.Pointer(list[i])))
		}
	}
	if got := owned(l, x, born(l, x, all[:BirthSize]...)); len(got) != FamilySize {
		t.Errorf("owns %d ranges of %d", len(got), len(all))
	}
}

func TestDocumentedOwnersOwnTheirBuffers(t *testing.T) {
	h, l := newHeap(t), newLayouts(t)
	array := h.bytes(128)
	check(t, "bytes.Buffer", owned(l, place(h, bytes.NewBuffer(array)), nil), array)
	check(t, "bytes.Buffer on a window", owned(l, place(h, bytes.NewBuffer(array[16:])), nil))
	check(t, "bytes.Reader", owned(l, place(h, bytes.NewReader(array)), nil))
	type wraps struct {
		_ int
		b bytes.Buffer
	}
	check(t, "a struct with a bytes.Buffer", owned(l, place(h, &wraps{b: *bytes.NewBuffer(array)}), nil), array)
	w := bufio.NewWriterSize(nil, 64)
	buf := w.AvailableBuffer()
	h.objects[addressOf(buf[:1])] = 64
	check(t, "bufio.Writer", owned(l, place(h, w), nil), buf)
	var s strings.Builder
	s.Grow(64)
	text := s.String()
	h.objects[uintptr(unsafe.Pointer(unsafe.StringData(text)))] = 64
	check(t, "strings.Builder", owned(l, place(h, &s), nil))
}

func TestTheRuleOfAFieldSaysWhoseItsArraysAre(t *testing.T) {
	const pkg = "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core."
	h := newHeap(t)
	array := h.bytes(64)
	x := place(h, &plain{buf: array})
	for _, tt := range []struct {
		line string
		owns bool
	}{
		{"+" + pkg + "plain.buf", true},
		{"+" + pkg + "plain.bu", false},
		{"+" + pkg + "plain.buf.x", false},
		{"+" + pkg + "plain.buff", false},
		{"+" + pkg + "other.buf", false},
		{"+core.plain.buf", false},
		{"-" + pkg + "plain.buf", false},
		{"+" + pkg + "plain.buf\n-" + pkg + "plain.buf", false},
		{"-" + pkg + "plain.buf\n+" + pkg + "plain.buf", false},
		{"\n\n+" + pkg + "nested.x\n+" + pkg + "plain.buf\nz", true},
	} {
		var want [][]byte
		if tt.owns {
			want = append(want, array)
		}
		check(t, tt.line, owned(newLayouts(t, strings.Split(tt.line, "\n")...), x, nil), want...)
	}
	x.buf = array[8:]
	check(t, "a window", owned(newLayouts(t, "+"+pkg+"plain.buf"), x, nil))

	a, b, c := h.bytes(64), h.bytes(64), h.bytes(64)
	n := new(nested)
	n.inner.Deep.buf, n.pair[1].buf, n.many[1].buf = a, b, c
	place(h, n)
	check(t, "nested, by the inner type", owned(newLayouts(t, "+"+pkg+"plain.buf"), n, nil), a, b)
	check(t, "nested, by the outer type", owned(newLayouts(t, "+"+pkg+"nested.inner.Deep.buf"), n, nil), a)
	check(t, "generic", owned(newLayouts(t, "+"+pkg+"generic.buf"), place(h, &generic[int]{buf: a}), nil), a)
}

type generic[T any] struct {
	_   T
	buf []byte
}

func TestWhatNewMadeIsOwnedUnlessOthersMayHaveIt(t *testing.T) {
	const pkg = "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core."
	h := newHeap(t)
	array := h.bytes(64)
	x := place(h, &plain{buf: array})
	before := new(Family)
	before.Len, before.Members[0] = 1, Member{Addr: addressOf(array), Size: 64, Slot: uint32(unsafe.Offsetof(x.buf)), Born: true, What: Array}
	check(t, "lent", owned(newLayouts(t, "-"+pkg+"plain.buf"), x, before), array)
	check(t, "shared", owned(newLayouts(t, "!"+pkg+"plain.buf"), x, before))
	check(t, "shared, and also a field's own", owned(newLayouts(t, "+"+pkg+"plain.buf", "!"+pkg+"plain.buf"), x, before))
}

// An array that is older than the Get is somebody else's, whatever the program's text says.
func TestAnArrayThatIsOlderThanTheGetIsNotOwned(t *testing.T) {
	const pkg = "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core."
	h, l := newHeap(t), newLayouts(t, "+"+pkg+"plain.buf")
	array := h.bytes(64)
	x := place(h, &plain{buf: array})
	allocated := new(Allocations)
	allocated.Init(memory(t, AllocationsMemory))
	for _, tt := range []struct {
		name        string
		born, get   uint32
		owns, young bool
	}{
		{"not known", 0, 5, true, false},
		{"older", 4, 5, false, false},
		{"of the same time", 5, 5, true, true},
		{"younger", 6, 5, true, true},
		{"of an object without a Get", 6, 0, true, false},
	} {
		if tt.born != 0 {
			allocated.Born(addressOf(array), tt.born)
		}
		var f Family
		l.Owned(&f, uintptr(unsafe.Pointer(x)), l.Add(descriptor(reflect.TypeFor[plain]())), new(Family), allocated, tt.get, 0)
		if (f.Len == 1) != tt.owns || tt.owns && f.Members[0].Young != tt.young {
			t.Errorf("%s: %d owned, %v", tt.name, f.Len, f.Members[0].Young)
		}
	}
	runtime.KeepAlive(x)
}

// Of a part that New has made it is known whether the function that made the object gives such parts to others;
// of one that was made later it is not.
func TestAPartOfAnObjectWhoseMakerKeepsNothingIsOwned(t *testing.T) {
	const pkg = "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core."
	type partly struct{ part *keptPart }
	h, l := newHeap(t), newLayouts(t, "=2"+pkg+"keptPart\n+"+pkg+"partly.part")
	x := place(h, &partly{place(h, &keptPart{})})
	addr, layout := uintptr(unsafe.Pointer(x)), l.Add(descriptor(reflect.TypeFor[partly]()))
	for site := range uint32(2) {
		for _, made := range []bool{false, true} {
			var birth Birth
			var before, f Family
			if made {
				part := uintptr(unsafe.Pointer(x.part))
				_, room := fakeHeap(part)
				birth.Add(part, room)
			}
			l.Born(&before, addr, layout, &birth, site)
			l.Owned(&f, addr, layout, &before, nil, 0, site)
			if owns := f.Len == 1; owns != (site == 1 && made) {
				t.Errorf("site %d, made by New %v: owned %v", site, made, owns)
			}
		}
	}
	runtime.KeepAlive(x)
}

// Of less than eight bytes, and of what begins between two words, it is not known when they were allocated: they
// are the object's if New made them, or if they begin a block.
func TestAnArrayOfFewBytesBeginsABlockOrIsNews(t *testing.T) {
	const pkg = "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core."
	for _, tt := range []struct {
		from, to   int
		born, owns bool
	}{
		{0, 1, false, true}, {0, 7, false, true}, {0, 9, false, true}, {3, 8, false, false}, {8, 13, false, false}, {3, 12, false, false},
		{3, 8, true, true}, {8, 13, true, true}, {3, 12, true, true},
	} {
		h, l := newHeap(t), newLayouts(t, "+"+pkg+"plain.buf")
		x := place(h, &plain{buf: h.bytes(16)[tt.from:tt.to:tt.to]})
		young := tt.born || tt.from == 0 && tt.to > 8 // no other has a byte of the first eight
		allocated := new(Allocations)
		allocated.Init(memory(t, AllocationsMemory))
		allocated.Born(addressOf(x.buf), 6) // or what lies in the same eight bytes
		before := new(Family)
		if tt.born {
			before = born(l, x, addressOf(x.buf))
		}
		var f Family
		l.Owned(&f, uintptr(unsafe.Pointer(x)), l.Add(descriptor(reflect.TypeFor[plain]())), before, allocated, 5, 0)
		if (f.Len == 1) != tt.owns || tt.owns && (f.Members[0].Size != uintptr(tt.to-tt.from) || f.Members[0].Young != young) {
			t.Errorf("%+v: %d owned, %+v", tt, f.Len, f.Members[0])
		}
		runtime.KeepAlive(x)
	}
}

// The allocator packs short arrays into blocks: one that was allocated in the middle of a
// block is an array of its own, and one that was not is a window.
func TestAShortArrayMayBeginInTheMiddleOfABlock(t *testing.T) {
	const pkg = "github.com/poolproof/poolproof/cmd/poolproof/internal/sanitize/core."
	for _, tt := range []struct {
		name      string
		block     int
		allocated bool
		owns      bool
	}{
		{"allocated there", 16, true, true},
		{"a window", 16, false, false},
		{"in a block of longer arrays", 32, true, false},
	} {
		h, l := newHeap(t), newLayouts(t, "+"+pkg+"plain.buf")
		array := h.bytes(tt.block)[8:16:16]
		x := place(h, &plain{buf: array})
		allocated := new(Allocations)
		allocated.Init(memory(t, AllocationsMemory))
		if tt.allocated {
			allocated.Born(addressOf(array), 6)
		}
		var f Family
		l.Owned(&f, uintptr(unsafe.Pointer(x)), l.Add(descriptor(reflect.TypeFor[plain]())), new(Family), allocated, 5, 0)
		if (f.Len == 1) != tt.owns {
			t.Errorf("%s: %d owned", tt.name, f.Len)
		}
		runtime.KeepAlive(x)
	}
}

func TestAllocationsForgetButNeverMixUp(t *testing.T) {
	a := new(Allocations)
	a.Init(memory(t, AllocationsMemory))
	when := map[uintptr]uint32{}
	for i := range uint32(1 << 18) {
		addr := uintptr(0xc000000000) + uintptr(i*2654435761%(1<<28))&^7
		a.Born(addr, i+1)
		when[addr] = i + 1
	}
	known := 0
	for addr, want := range when {
		switch got := a.When(addr); got {
		case want:
			known++
		case 0:
		default:
			t.Fatalf("%#x: %d, want %d or nothing", addr, got, want)
		}
	}
	if known < 1<<15 {
		t.Errorf("only %d are known", known)
	}
}

func TestStructsThatNewAllocatedAreOwnedThreePointersDeep(t *testing.T) {
	h, l := newHeap(t), newLayouts(t)
	var chain [6]*linked
	var arrays [6][]byte
	var all []uintptr
	for i := len(chain) - 1; i >= 0; i-- {
		arrays[i] = h.bytes(64)
		chain[i] = place(h, &linked{buf: arrays[i]})
		if i+1 < len(chain) {
			chain[i].next = chain[i+1]
		}
		all = append(all, uintptr(unsafe.Pointer(chain[i])), addressOf(arrays[i]))
	}
	before := born(l, chain[0], all...)
	got := owned(l, chain[0], before)
	for i := range chain {
		_, object := got[uintptr(unsafe.Pointer(chain[i]))]
		_, array := got[addressOf(arrays[i])]
		if want := 1 <= i && i <= maxDepth; object != want {
			t.Errorf("object %d: owned %v", i, object)
		}
		if want := i < maxDepth; array != want {
			t.Errorf("array %d: owned %v", i, array)
		}
	}
	chain[0].next = chain[2] // what hangs on a struct that went away is no longer proved
	if got := owned(l, chain[0], before); len(got) != 1 || got[addressOf(arrays[0])] == 0 {
		t.Errorf("with the first struct taken out it owns %v", got)
	}
	ring := place(h, &linked{})
	ring.next = ring
	if got := owned(l, ring, born(l, ring, uintptr(unsafe.Pointer(ring)))); len(got) != 0 {
		t.Errorf("a ring owns %v", got)
	}
}

func TestWhatAPointerPointsToIsOwnedIfNewMadeIt(t *testing.T) {
	type points struct {
		cells *[32]float64
		count *int64
		small *int32
	}
	h, l := newHeap(t), newLayouts(t)
	x := place(h, &points{place(h, new([32]float64)), place(h, new(int64)), place(h, new(int32))})
	all := []uintptr{uintptr(unsafe.Pointer(x.cells)), uintptr(unsafe.Pointer(x.count)), uintptr(unsafe.Pointer(x.small))}
	want := ranges{all[0]: 256, all[1]: 8, all[2]: 4}
	if got := owned(l, x, born(l, x, all...)); !maps.Equal(got, want) {
		t.Errorf("owns %v, want %v", got, want)
	}
	if got := owned(l, x, nil); len(got) != 0 {
		t.Errorf("what somebody else has made: owns %v", got)
	}
}

func TestAnArrayInTheObjectItselfIsNoRangeOfItsOwn(t *testing.T) {
	type inline struct {
		array [64]byte
		buf   []byte
	}
	h, l := newHeap(t), newLayouts(t)
	x := new(inline)
	x.buf = x.array[:0]
	place(h, x)
	check(t, "inline", owned(l, x, born(l, x, uintptr(unsafe.Pointer(x)))))
}

func TestATornHeaderNeverReachesBeyondTheObject(t *testing.T) {
	h, l := newHeap(t), newLayouts(t)
	array := h.bytes(64)
	header := struct{ data, n, max uintptr }{addressOf(array), 0, 1 << 30}
	x := *(*[]byte)(unsafe.Pointer(&header))
	check(t, "*[]byte with a wrong capacity", owned(l, &x, nil))
	header.max = 1 << 62
	x = *(*[]byte)(unsafe.Pointer(&header))
	check(t, "*[]byte with an absurd capacity", owned(l, &x, nil))
	runtime.KeepAlive(array)
}

func TestFamiliesAndLayoutsHaveLimits(t *testing.T) {
	type wide struct{ bufs [8][]byte }
	type wider struct{ a, b, c, d wide }
	h, l := newHeap(t), newLayouts(t)
	x := new(wider)
	var all []uintptr
	for _, w := range []*wide{&x.a, &x.b, &x.c, &x.d} {
		for i := range w.bufs {
			w.bufs[i] = h.bytes(16)
			all = append(all, addressOf(w.bufs[i]))
		}
	}
	place(h, x)
	if layout := l.Add(descriptor(reflect.TypeFor[wider]())); layout.Len != LayoutSlots {
		t.Errorf("%d slots", layout.Len)
	}
	if got := owned(l, x, born(l, x, all...)); len(got) != LayoutSlots {
		t.Errorf("owns %d ranges", len(got))
	}
}

func TestLocksAndAtomicsMayChangeAtAnyTime(t *testing.T) {
	l := newLayouts(t)
	type locked struct {
		_ sync.Mutex
		_ int
	}
	for typ, want := range map[reflect.Type]bool{
		reflect.TypeFor[plain]():                           false,
		reflect.TypeFor[locked]():                          true,
		reflect.TypeFor[struct{ a [2]locked }]():           true,
		reflect.TypeFor[struct{ a [64]locked }]():          true,
		reflect.TypeFor[struct{ n atomic.Int64 }]():        true,
		reflect.TypeFor[struct{ n *atomic.Int64 }]():       false,
		reflect.TypeFor[struct{ p atomic.Pointer[int] }](): true,
		reflect.TypeFor[[]byte]():                          false,
	} {
		if got := l.Add(descriptor(typ)).Changes; got != want {
			t.Errorf("%v changes: %v", typ, got)
		}
	}
	if l.Add(descriptor(reflect.TypeFor[[]locked]())).Slots[0].Changes != true {
		t.Error("an array of locks may not change")
	}
	if l.Find(descriptor(reflect.TypeFor[int]())) != nil {
		t.Error("a layout that nobody made")
	}
}

func TestABirthForgetsWhatDoesNotFit(t *testing.T) {
	var b Birth
	for i := range uintptr(BirthSize + 5) {
		b.Add(8+8*i, 8)
	}
	sizes := []uintptr{b.allocated(8), b.allocated(8 * BirthSize), b.allocated(8 * (BirthSize + 1))}
	if !slices.Equal(sizes, []uintptr{8, 8, 0}) {
		t.Errorf("sizes %v", sizes)
	}
}
