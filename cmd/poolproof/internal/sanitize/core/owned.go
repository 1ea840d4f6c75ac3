package core

import "unsafe"

// A Birth lists what New allocated while it ran for one Get.
type Birth struct {
	Parent uintptr // the Birth of the New that this one runs in, or the next free one
	Pool   uintptr
	Clock  uint32 // what is older, see Ages
	Len    uint32
	First  bool // no New of the pool had come to its end before this one began
	Born   [BirthSize]struct{ Addr, Size uintptr }
}

// BirthSize is how many allocations of one New are remembered.
const BirthSize = FamilySize + 8

// Add notes an allocation. What does not fit is forgotten: not owned.
func (b *Birth) Add(addr, size uintptr) {
	if b.Len < BirthSize {
		b.Born[b.Len].Addr, b.Born[b.Len].Size = addr, size
		b.Len++
	}
}

// Made reports whether New allocated the object at addr.
func (b *Birth) Made(addr uintptr) bool { return b.allocated(addr) != 0 }

// allocated returns the size of the allocation at addr; 0 if there was none.
func (b *Birth) allocated(addr uintptr) uintptr {
	for i := uint32(0); i < b.Len; i++ {
		if b.Born[i].Addr == addr {
			return b.Born[i].Size
		}
	}
	return 0
}

// maxDepth is how many pointers away from the object its memory may lie.
const maxDepth = 6

// Owned fills f with the ranges that the object at addr owns beside itself,
// at a Put. before is its family since its Get: what New allocated for it.
//
// The rule, each part of which was found against false reports of a looser
// one: a range belongs to the object if a field of it points to the start of
// the range, and if
//
//   - New allocated it for this object, and it is still in the field where New
//     left it, or in one that has exchanged its own with it. No other code can have had
//     it but through the object. (What the first New of a pool allocates may be a table for all
//     objects: that counts only if the program stores nothing else in the field.)
//   - the object is a pointer to the slice itself, or
//   - the range is an array that starts a heap object, in a field that says by
//     its Rule that its arrays stay with the object.
//
// And in the last two cases, if it is not known to be older than the object's first
// Get, where clock says when that was: what was there before has another owner. What the function by
// which the object was made gives to code that keeps it is not the object's either.
//
// Everything else may be the caller's: a parser's input, a table, a window
// into some buffer. Owned returns how many bytes the arrays in fields have that are
// no part of f.
func (l *Layouts) Owned(f *Family, addr uintptr, layout *Layout, before *Family, allocated *Allocations, clock, site uint32) (others uintptr) {
	w := walker{layouts: l, family: f, before: before, allocated: allocated, clock: clock, site: site, self: addr, size: layout.Size}
	f.Len = 0
	w.walk(addr, 0, layout, 0, 0)
	return w.others
}

// Born fills f with the ranges that New has just allocated for the object at
// addr and left in a field of it.
func (l *Layouts) Born(f *Family, addr uintptr, layout *Layout, birth *Birth, site uint32) {
	w := walker{layouts: l, family: f, birth: birth, site: site, self: addr, size: layout.Size}
	f.Len = 0
	w.walk(addr, 0, layout, 0, 0)
}

// walker follows the slots of an object.
type walker struct {
	layouts   *Layouts
	family    *Family      // result
	before    *Family      // at a Put
	birth     *Birth       // after New
	allocated *Allocations // at a Put
	clock     uint32       // of the first Get, at a Put; 0: not known
	site      uint32       // of the Get that gave the object

	self, size uintptr // the object
	others     uintptr // bytes of arrays in slots that are not its own
}

// walk takes what the slots of a struct point to, which lies at an offset in the memory at addr.
func (w *walker) walk(addr uintptr, offset uint32, layout *Layout, holder uint32, depth int) {
	for i := uint32(0); i < layout.Len; i++ {
		s := layout.Slots[i]
		s.Offset += offset
		w.slot(addr, s, holder, depth)
	}
}

// slot takes what one slot of the memory at addr points to, and what hangs on that.
func (w *walker) slot(addr uintptr, s Slot, holder uint32, depth int) {
	if s.Kind == SlotInterface && !w.resolve(addr, &s) {
		return
	}
	to, n := w.take(addr, &s, holder)
	member := w.family.Len
	if n == 0 || s.ElemType == 0 || depth+1 >= maxDepth {
		return
	}
	switch s.Kind {
	case SlotPointer:
		if inner := hostLayout(w.layouts, s.ElemType); inner != nil {
			w.walk(to, 0, inner, member, depth+1)
		}
	case SlotSlice:
		if s.Noscan {
			return
		}
		if k := hostKind(s.ElemType); k != KindSlice && k != KindStruct { // what was taken off a list for good stays after its length
			n = min(n, hostWord(addr+uintptr(s.Offset)+word))
		}
		for i := uintptr(0); i < min(n, mostRows); i++ {
			w.element(to, i*s.Elem, &s, member, depth+1)
		}
	case SlotMap:
		w.values(to, &s, member, depth+1)
	}
}

// resolve makes the slot of an interface that of the pointer in it.
func (w *walker) resolve(addr uintptr, s *Slot) bool {
	typ := hostDynamic(addr+uintptr(s.Offset), s.Methods)
	if typ == 0 {
		return false
	}
	s.Kind, s.Offset = SlotPointer, s.Offset+uint32(unsafe.Sizeof(uintptr(0)))
	s.Elem, s.ElemType, s.Noscan, s.Changes = hostSize(typ), typ, !hostPointers(typ), holdsChanges(typ, 0)
	return true
}

// element takes what an element of an array, or a value of a map, points to. It lies at an offset
// in the memory at addr.
func (w *walker) element(addr, offset uintptr, in *Slot, holder uint32, depth int) {
	e := slotOf(in.ElemType, uint32(offset))
	switch {
	case e.Elem == 0:
		if inner := hostLayout(w.layouts, in.ElemType); inner != nil && hostKind(in.ElemType) == KindStruct {
			w.walk(addr, uint32(offset), inner, holder, depth)
		}
		return
	case e.Kind == SlotSlice:
		e.Rule = in.Rows
	case in.Rule == Never:
		return
	}
	if e.Rule == Borrowed {
		e.Rule = Lent
	}
	w.slot(addr, e, holder, depth)
}

// tinyBlock is the size of the blocks in which the allocator packs small objects without
// pointers, so that a short array may be allocated in the middle of one.
const tinyBlock = 16

// take adds what a slot of the struct or array at addr points to, if it is the object's,
// and returns where that is and how many elements it has; none if it is not.
func (w *walker) take(addr uintptr, s *Slot, holder uint32) (to, n uintptr) {
	field := addr + uintptr(s.Offset)
	to = hostWord(field)
	if to == 0 {
		return 0, 0
	}
	size, what := s.Elem, Child
	n = 1
	if s.Kind == SlotSlice {
		what, n = Array, hostWord(field+2*unsafe.Sizeof(uintptr(0)))
		if s.Elem == 0 || n > 1<<40/s.Elem {
			return 0, 0 // a header that is being written
		}
		if s.Rule == Whole {
			n = w.extent(to, hostWord(field+unsafe.Sizeof(uintptr(0))), n, s.Elem)
		}
		size *= n
	}
	if size == 0 {
		return 0, 0
	}
	shares := to%granule != 0 || size < granule // eight bytes with others: when these were allocated says nothing
	born := w.born(to, s.Offset, holder, size)
	switch {
	case s.Rule == Never, s.Kind == SlotPointer && w.kept(s.ElemType, born), !born && (s.Rule == Borrowed || s.Rule == Lent || w.birth != nil), s.Rule == Lent && w.birth != nil && w.birth.First:
		return w.leave(to, size)
	}
	young := born
	if !born {
		age := w.allocated.Age(to, w.clock)
		if shares {
			age = Unknown
		}
		if age == Old {
			return w.leave(to, size)
		}
		young = age == Young || w.clock == 0 && s.Rule == Whole
	}
	start, room := hostObject(to)
	starts := start == to || s.Noscan && room <= tinyBlock && (born || !shares && w.allocated.When(to) != 0)
	if room == 0 || !starts && s.Rule != Whole || to-start+size > room || w.overlaps(to, size) || w.family.Len == FamilySize {
		return w.leave(to, size)
	}
	w.family.Members[w.family.Len] = Member{
		Addr: to, Size: size, Slot: s.Offset, Holder: holder, What: what, Noscan: s.Noscan, Born: born, Young: young,
		Changes: s.Changes,
	}
	w.family.Len++
	return to, n
}

// kept reports whether other code may use what a pointer of a type points to while it is in a pool. Of what
// New has made it is known which function made it.
func (w *walker) kept(typ uintptr, born bool) bool {
	inner := hostLayout(w.layouts, typ)
	if inner == nil {
		return true
	}
	return inner.Keeps > Nothing && (!born || hostKeeps(w.site, inner) > Nothing)
}

// leave counts memory of the heap that is not the object's own, and takes nothing.
func (w *walker) leave(to, size uintptr) (uintptr, uintptr) {
	if w.birth == nil && !w.overlaps(to, size) {
		if start, room := hostObject(to); room != 0 && to-start+size <= room {
			w.others += size
		}
	}
	return 0, 0
}

// born reports whether New allocated the range for this field of this object, or for
// another one with which it was exchanged.
func (w *walker) born(addr uintptr, slot, holder uint32, size uintptr) bool {
	if w.birth != nil {
		return w.birth.allocated(addr) >= size && size > 0
	}
	for i := uint32(0); i < w.before.Len; i++ {
		m := &w.before.Members[i]
		if m.Addr == addr && m.Born && w.sameHolder(m.Holder, holder) {
			return m.Slot == slot || size <= m.Size && w.exchanged(m, holder)
		}
	}
	return false
}

// exchanged reports whether the field that a range of New's has left holds another one that
// New made for the same struct: two fields have exchanged theirs, and no other code has got
// what it had not before.
func (w *walker) exchanged(left *Member, holder uint32) bool {
	in := w.self
	if holder != 0 {
		in = w.family.Members[holder-1].Addr
	}
	if !inHeap(in, uintptr(left.Slot)+word) { // of a map, a slot is one of its values
		return false
	}
	now := hostWord(in + uintptr(left.Slot))
	for i := uint32(0); i < w.before.Len; i++ {
		m := &w.before.Members[i]
		if m.Addr == now && m != left && m.Born && m.What == left.What && w.sameHolder(m.Holder, holder) {
			return true
		}
	}
	return false
}

// sameHolder reports whether a struct of the family before is the one that
// holder names now.
func (w *walker) sameHolder(before, now uint32) bool {
	if before == 0 || now == 0 {
		return before == now
	}
	return w.before.Members[before-1].Addr == w.family.Members[now-1].Addr
}

// overlaps reports whether the object or its family has part of the range
// already: two fields with one array, or a field that points to an array in the
// object itself.
func (w *walker) overlaps(addr, size uintptr) bool {
	if addr < w.self+w.size && w.self < addr+size {
		return true
	}
	for i := uint32(0); i < w.family.Len; i++ {
		m := &w.family.Members[i]
		if addr < m.Addr+m.Size && m.Addr < addr+size {
			return true
		}
	}
	return false
}

// extent is how many elements of a slice that is put by its address belong to it: those of Extent,
// and those that New made for it.
func (w *walker) extent(array, length, capacity, elem uintptr) uintptr {
	n := Extent(array, length, capacity)
	if w.birth != nil || n == capacity {
		return n
	}
	for i := uint32(0); i < w.before.Len; i++ {
		if m := &w.before.Members[i]; m.Addr == array && m.Born && m.Holder == 0 && m.Slot == 0 {
			n = max(n, min(m.Size/elem, capacity))
		}
	}
	return n
}

// Extent is how many elements of a slice that is put belong to it: all up to its capacity if its
// array starts a heap object and the slice is all of it, or empty, as buffers are. Another
// slice may be one of several windows of a slab, whose capacity reaches into those after it.
func Extent(array, length, capacity uintptr) uintptr {
	if start, _ := hostObject(array); start == array && (length == 0 || length == capacity) {
		return capacity
	}
	return min(length, capacity)
}
