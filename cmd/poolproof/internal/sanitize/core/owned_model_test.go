package core

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// The types of the objects that FuzzOwned puts, and what points from them to
// further memory, written down by hand.
type (
	modelLeaf struct {
		_    int64
		kept []byte // truncated in place
		lent []byte
	}
	modelTree struct {
		left, right *modelTree
		leaf        *modelLeaf
		rows        []int64
		text        bytes.Buffer
	}
	modelNest struct {
		inner modelLeaf
		pair  [2]modelLeaf // whose lent is truncated, seen from here
		cells *[2]int64
		small *int32
		//lint:ignore U1000 the walk finds it by reflection
		built strings.Builder
		read  bytes.Reader
		//lint:ignore U1000 likewise
		many [9]modelLeaf
	}
)

// modelTruncated are the fields that the imagined program truncates.
var modelTruncated = strings.ReplaceAll("+PKG.modelLeaf.kept\n+PKG.modelNest.pair.lent", "PKG", reflect.TypeFor[modelLeaf]().PkgPath())

// modelSlot is a field that points to memory.
type modelSlot struct {
	offset, elem uintptr
	slice        bool
	kept         bool         // an array there belongs to the object, if it starts a heap object
	whole        bool         // an array there belongs to the object in any case
	to           reflect.Type // of a pointer, or the structs that an array is of
}

var modelSlots = map[reflect.Type][]modelSlot{
	reflect.TypeFor[modelLeaf]():   leafSlots(0, false),
	reflect.TypeFor[[]byte]():      {{elem: 1, slice: true, whole: true}},
	reflect.TypeFor[[]modelLeaf](): {{elem: unsafe.Sizeof(modelLeaf{}), slice: true, whole: true, to: reflect.TypeFor[modelLeaf]()}},
	reflect.TypeFor[modelTree](): {
		{offset: unsafe.Offsetof(modelTree{}.left), elem: unsafe.Sizeof(modelTree{}), to: reflect.TypeFor[modelTree]()},
		{offset: unsafe.Offsetof(modelTree{}.right), elem: unsafe.Sizeof(modelTree{}), to: reflect.TypeFor[modelTree]()},
		{offset: unsafe.Offsetof(modelTree{}.leaf), elem: unsafe.Sizeof(modelLeaf{}), to: reflect.TypeFor[modelLeaf]()},
		{offset: unsafe.Offsetof(modelTree{}.rows), elem: 8, slice: true},
		{offset: unsafe.Offsetof(modelTree{}.text), elem: 1, slice: true, kept: true},
	},
	reflect.TypeFor[modelNest](): slices.Concat(
		leafSlots(unsafe.Offsetof(modelNest{}.inner), false),
		leafSlots(unsafe.Offsetof(modelNest{}.pair), true),
		leafSlots(unsafe.Offsetof(modelNest{}.pair)+unsafe.Sizeof(modelLeaf{}), true),
		[]modelSlot{
			{offset: unsafe.Offsetof(modelNest{}.cells), elem: 16, to: reflect.TypeFor[[2]int64]()},
			{offset: unsafe.Offsetof(modelNest{}.small), elem: 4, to: reflect.TypeFor[int32]()},
			{offset: unsafe.Offsetof(modelNest{}.read), elem: 1, slice: true},
		}),
}

func leafSlots(at uintptr, lent bool) []modelSlot {
	return []modelSlot{
		{offset: at + unsafe.Offsetof(modelLeaf{}.kept), elem: 1, slice: true, kept: true},
		{offset: at + unsafe.Offsetof(modelLeaf{}.lent), elem: 1, slice: true, kept: lent},
	}
}

// modelRoots are the types that are put.
var modelRoots = []reflect.Type{
	reflect.TypeFor[modelTree](), reflect.TypeFor[modelNest](), reflect.TypeFor[modelLeaf](),
	reflect.TypeFor[[]byte](), reflect.TypeFor[[]modelLeaf](),
}

// modelMember is a range that an object owns. Its holder is the address of the
// struct that points to it; 0 is the object itself.
type modelMember struct {
	addr, size, slot, holder uintptr
	array, born              bool
}

// modelHeap is a heap of numbered bytes.
type modelHeap struct {
	object map[uintptr]int // the object that each byte belongs to
	start  []uintptr       // of each object
	word   func(addr uintptr) uintptr

	learned map[modelField]bool // fields whose arrays have shown to be buffers
}

type modelField struct {
	typ    reflect.Type
	offset uintptr
}

// inOne reports whether all bytes are of one object.
func (h *modelHeap) inOne(addr, n uintptr) bool {
	o, known := h.object[addr]
	for i := range n {
		if other, ok := h.object[addr+i]; !ok || other != o {
			return false
		}
	}
	return known
}

// modelWalk is the rule of Owned, and of Born where asked is that of Born: told
// byte by byte.
type modelWalk struct {
	heap    *modelHeap
	asked   func(slot modelSlot, addr, size, holder uintptr) (owned, born bool)
	taken   map[uintptr]bool // bytes of the object and of what it owns
	members []modelMember
	before  []modelMember
}

// extent is how many elements of a slice belong to it: all of a heap object that it is the whole of,
// or empty; what New made; or else its length.
func (w *modelWalk) extent(array, length, capacity, elem uintptr) uintptr {
	o, known := w.heap.object[array]
	if known && w.heap.start[o] == array && (length == 0 || length == capacity) {
		return capacity
	}
	n := min(length, capacity)
	for _, m := range w.before {
		if m.addr == array && m.born && m.holder == 0 && m.slot == 0 {
			n = max(n, min(m.size/elem, capacity))
		}
	}
	return n
}

func newModelWalk(h *modelHeap, addr uintptr, typ reflect.Type) *modelWalk {
	w := &modelWalk{heap: h, taken: map[uintptr]bool{}}
	w.take(addr, typ.Size())
	return w
}

func (w *modelWalk) take(addr, n uintptr) {
	for i := range n {
		w.taken[addr+i] = true
	}
}

func (w *modelWalk) free(addr, n uintptr) bool {
	for i := range n {
		if w.taken[addr+i] {
			return false
		}
	}
	return true
}

// walk follows the fields of a struct that is so many pointers away and lies at an offset
// in the memory at addr.
func (w *modelWalk) walk(addr, offset, holder uintptr, typ reflect.Type, away int) {
	for _, s := range modelSlots[typ] {
		s.kept = s.kept || w.heap.learned[modelField{typ, s.offset}]
		s.offset += offset
		to, count := w.heap.word(addr+s.offset), uintptr(1)
		if s.slice {
			count = w.heap.word(addr + s.offset + 16)
		}
		if s.whole && count <= 1<<40/s.elem {
			count = w.extent(to, w.heap.word(addr+s.offset+8), count, s.elem)
		}
		if count > modelArena {
			continue // no object is so large
		}
		size := count * s.elem
		if to == 0 || size == 0 || !w.heap.inOne(to, size) || !w.free(to, size) || len(w.members) == FamilySize {
			continue
		}
		owned, born := w.asked(s, to, size, holder)
		if starts := w.heap.start[w.heap.object[to]] == to; !owned || !starts && !s.whole {
			continue
		}
		w.take(to, size)
		w.members = append(w.members, modelMember{to, size, s.offset, holder, s.slice, born})
		if s.to == nil || away+1 >= maxDepth {
			continue
		}
		for i := range min(count, mostRows) {
			w.walk(to, i*s.elem, to, s.to, away+1)
		}
	}
}

// modelOwned are the ranges that the object owns at a Put, if before were its
// own since its Get.
func modelOwned(h *modelHeap, addr uintptr, typ reflect.Type, before []modelMember) []modelMember {
	w := newModelWalk(h, addr, typ)
	w.before = before
	w.asked = func(s modelSlot, to, size, holder uintptr) (owned, born bool) {
		in := holder
		if in == 0 {
			in = addr
		}
		born = slices.ContainsFunc(before, func(m modelMember) bool {
			if !m.born || m.addr != to || m.holder != holder {
				return false
			}
			return m.slot == s.offset || size <= m.size && slices.ContainsFunc(before, func(o modelMember) bool {
				return o.born && o.holder == holder && o.addr != to && o.array == m.array && o.addr == h.word(in+m.slot)
			})
		})
		return born || s.kept || s.whole, born
	}
	w.walk(addr, 0, 0, typ, 0)
	return w.members
}

// modelBorn are those of them that New has allocated; sizes by address.
func modelBorn(h *modelHeap, addr uintptr, typ reflect.Type, allocated map[uintptr]uintptr) []modelMember {
	w := newModelWalk(h, addr, typ)
	w.asked = func(_ modelSlot, to, size, _ uintptr) (owned, born bool) {
		return allocated[to] >= size, true
	}
	w.walk(addr, 0, 0, typ, 0)
	return w.members
}

// members tells a family in the words of the model.
func (f *Family) members() (all []modelMember) {
	for _, m := range f.Members[:f.Len] {
		holder := uintptr(0)
		if m.Holder != 0 {
			holder = f.Members[m.Holder-1].Addr
		}
		all = append(all, modelMember{m.Addr, m.Size, uintptr(m.Slot), holder, m.What == Array, m.Born})
	}
	return all
}

func (m modelMember) String() string {
	return fmt.Sprintf("%#x+%d (slot %d of %#x, array %v, born %v)", m.addr, m.size, m.slot, m.holder, m.array, m.born)
}
