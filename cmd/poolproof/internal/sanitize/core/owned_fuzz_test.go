package core

import (
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"unsafe"
)

// modelArena is how many bytes the heap of one run of FuzzOwned has.
const modelArena = 8 << 10

// FuzzOwned builds a heap of objects that point to each other in any way, right
// and wrong, and asks Born and Owned, and a plain model, what one of them owns.
func FuzzOwned(f *testing.F) {
	for _, seed := range ownedSeeds {
		f.Add(seed)
	}
	l := modelLayouts(f)
	f.Fuzz(func(t *testing.T, ops []byte) { fuzzOwned(t, l, ops) })
}

// ownedSeeds are a root type, a number of objects with their sizes in words,
// and operations of four bytes.
var ownedSeeds = [][]byte{
	// A tree whose leaf New made with its array; then put, changed, put.
	{0, 3, 7, 4, 9, 4, 1, 0, 0, 5, 0, 2, 1, 5, 1, 1, 2, 4, 2, 0, 0, 6, 0, 0, 0, 7, 0, 0, 0, 5, 1, 1, 3, 7, 0, 0, 0},
	// Trees three and more pointers away.
	{0, 4, 12, 12, 12, 12, 4, 1, 0, 0, 4, 2, 0, 0, 4, 3, 0, 0, 4, 4, 0, 0, 5, 0, 0, 1, 5, 1, 0, 2, 5, 2, 0, 3, 5, 3, 1, 4, 6, 0, 0, 0, 7, 0, 0, 0},
	// A slice by address, whole and as a window.
	{3, 1, 8, 0, 0, 0, 1, 2, 0, 2, 40, 7, 0, 0, 0, 1, 0, 0, 9, 7, 0, 0, 0},
	// A slice that starts at an odd byte.
	{3, 2, 8, 8, 3, 0, 0, 1, 2, 0, 2, 16, 7, 0, 0, 0},
	// An array of one tree's left that moves to the same field of its right.
	{0, 3, 10, 10, 7, 4, 1, 0, 0, 4, 2, 0, 0, 4, 3, 0, 0, 0, 0, 0, 1, 0, 0, 1, 2, 5, 1, 201, 3, 6, 0, 0, 0, 7, 1, 0, 0, 3, 1, 3, 0, 5, 2, 201, 3, 7, 1, 0, 0},
	// The array of an element's field, in a slice by address.
	{234, 3, 7, 4, 20, 5, 0, 255, 255, 115, 255, 1, 2, 22, 143, 0, 0, 6, 0, 0, 0, 7, 33, 0, 0, 232, 224, 1, 3, 7, 0, 0, 0},
}

// TestWhatAnObjectOwnsIsWhatTheRuleSays is FuzzOwned on drawn inputs.
func TestWhatAnObjectOwnsIsWhatTheRuleSays(t *testing.T) {
	l, rng, owned, born := modelLayouts(t), rand.New(rand.NewPCG(5, 6)), 0, 0
	for range 2000 {
		ops := []byte{byte(rng.IntN(5)), 11, 11, 11, 11, 23, 7, 7, 1, 2, 4, 8, 16}
		for i := range byte(rng.IntN(24)) { // New allocates many of them, or all
			ops = append(ops, 4, i, 0, 0)
		}
		for range rng.IntN(80) {
			// Mostly pointers between the first words of objects, and births.
			ops = append(ops, "\x05\x05\x05\x00\x04\x04\x06\x07\x02\x01\x03\x09\x08"[rng.IntN(13)], byte(rng.IntN(2)*rng.IntN(12)), byte(rng.IntN(32)), byte(rng.Uint32()))
		}
		o, b := fuzzOwned(t, l, ops)
		owned, born = owned+o, born+b
	}
	// The draws are always the same: they must not come to miss what they test.
	if owned < 1000 || born < 1000 {
		t.Errorf("%d owned ranges and %d that New made are too few to show anything", owned, born)
	}
}

func modelLayouts(t testing.TB) *Layouts {
	l, n := new(Layouts), uintptr(len(modelTruncated))
	text := memory(t, n)
	copy(unsafe.Slice((*byte)(text), n), modelTruncated)
	l.Init(memory(t, LayoutReserve), memory(t, LayoutMemory), NewFieldRules(text, n))
	return l
}

// fuzzOwned returns how many ranges were owned and born in all.
func fuzzOwned(t *testing.T, l *Layouts, ops []byte) (owned, born int) {
	next := func() uintptr {
		if len(ops) == 0 {
			return 0
		}
		b := ops[0]
		ops = ops[1:]
		return uintptr(b)
	}
	typ := modelRoots[next()%uintptr(len(modelRoots))]
	arena := unsafe.Slice((*uintptr)(memory(t, modelArena)), modelArena/8)
	base := addressOf(arena)
	h := &modelHeap{object: map[uintptr]int{}, learned: map[modelField]bool{}, word: func(addr uintptr) uintptr { return arena[(addr-base)/8] }}
	room := map[uintptr]uintptr{}
	end := base
	allocate := func(size uintptr) {
		for i := range size {
			h.object[end+i] = len(h.start)
		}
		room[end] = size
		h.start = append(h.start, end)
		end += size
	}
	allocate(typ.Size())
	for range next() % 12 {
		allocate(8 * (1 + next()%32))
	}
	fakeHeap = func(addr uintptr) (start, n uintptr) {
		i, known := h.object[addr]
		if !known {
			return 0, 0
		}
		return h.start[i], room[h.start[i]]
	}
	defer func() { fakeHeap = func(uintptr) (uintptr, uintptr) { return 0, 0 } }()

	var birth Birth
	allocated := map[uintptr]uintptr{}
	var before Family
	var was []modelMember
	layout := l.Add(descriptor(typ))
	for len(ops) >= 4 {
		op, a, b, c := next(), next(), next(), next()
		from, to := h.start[a%uintptr(len(h.start))], h.start[c%uintptr(len(h.start))]
		words := room[from] / 8
		at := &arena[(from-base)/8+b%words]
		switch op % 10 {
		case 0: // to the start of an object
			*at = to
		case 1: // into one, or behind it
			*at = to + 8*(c/16)
		case 2: // a number, maybe a capacity
			*at = c
		case 3: // what is no address of an object
			*at = [...]uintptr{0, to + 1, base - 8, end, ^uintptr(0), 1 << 39, 1 << 62}[c%7]
		case 4: // New allocates an object
			if birth.Len < BirthSize && allocated[from] == 0 {
				allocated[from] = room[from]
			}
			birth.Add(from, room[from])
		case 5: // a slice of a whole object, or a pointer
			*at = to
			if b%words+2 < words {
				arena[(from-base)/8+b%words+2] = room[to] >> (b / 64)
			}
		case 6: // New is done
			l.Born(&before, base, layout, &birth, 0)
			was = modelBorn(h, base, typ, allocated)
			same(t, "Born", typ, &before, was)
			born += len(was)
		case 7: // a Put
			var f Family
			l.Owned(&f, base, layout, &before, nil, 0, 0)
			is := modelOwned(h, base, typ, was)
			same(t, "Owned", typ, &f, is)
			owned += len(is)
			if a%2 == 0 { // the object comes back and is put again
				before = f
				was = is
			}
		case 8: // nobody knows what New made
			before.Len, was = 0, nil
		case 9: // a field of the object is known to hold a buffer
			if s := &layout.Slots[b%uintptr(layout.Len)]; s.Kind == SlotSlice && s.Rule == Borrowed {
				s.Rule = Own
				defer func() { s.Rule = Borrowed }() // layouts are for all runs
				h.learned[modelField{typ, uintptr(s.Offset)}] = true
			}
		}
	}
	runtime.KeepAlive(arena)
	return owned, born
}

func same(t *testing.T, what string, typ reflect.Type, f *Family, want []modelMember) {
	t.Helper()
	if got := f.members(); !slices.Equal(got, want) {
		t.Fatalf("%s of %v:\n%v\nwant\n%v", what, typ, got, want)
	}
}
