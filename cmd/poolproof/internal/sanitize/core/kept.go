package core

import "unsafe"

// An object may be put with memory of its caller still in a field: a parser
// with its input. That is legal, and the pool keeps the memory alive. It is
// worth a word where three things are known:
//
//   - it is a large object of the heap, which is where it begins to hurt,
//   - it is older than the Get, so that the object cannot have made it for
//     itself: Ages knows, and
//   - the collector took it while the object was in the pool, so that it is no
//     table that others share: the sweep tells.

// LargeObject is the size from which on objects have pages of their own.
const LargeObject = 32 << 10

// Ages remembers of large objects of the heap what a clock said when they were
// allocated, which advances before Gets. It forgets some; of these it is not known
// the age. It is read and written without a lock: an entry is one word.
type Ages struct {
	slots *[agesCount]uint64 // page number << clockBits | clock; 0 is empty
}

const (
	agesCount = 1 << 16
	clockBits = 28

	// AgesMemory is the size of the memory for Ages.Init.
	AgesMemory = agesCount * 8

	// LastClock is where the clock ends: all that is younger has one age.
	LastClock = 1<<clockBits - 1
)

// Init hands a usable zeroed memory.
func (a *Ages) Init(memory unsafe.Pointer) { a.slots = (*[agesCount]uint64)(memory) }

func (a *Ages) slot(page uint64) *uint64 { return &a.slots[mix(page)%agesCount] }

// Born notes that the large object at addr was allocated at a time.
func (a *Ages) Born(addr uintptr, clock uint32) {
	page := uint64(addr) >> pageBits
	*a.slot(page) = page<<clockBits | uint64(clock)
}

// Older reports whether the large object at addr was allocated before a Get.
func (a *Ages) Older(addr uintptr, get uint32) bool {
	page := uint64(addr) >> pageBits
	word := *a.slot(page)
	return word>>clockBits == page && uint32(word&LastClock) < get
}

// Kept is memory that an object keeps alive beside what it owns.
type Kept struct {
	Addr, Size uintptr
	Slot       uint32 // offset of the field that points there
}

// Kept looks from field *i on for one of the object at addr that points to
// a large object which is older than the object's Get. It leaves *i after that
// field.
func (a *Ages) Kept(addr uintptr, layout *Layout, get uint32, i *uint32) (k Kept, ok bool) {
	for *i < layout.Len+layout.TextLen {
		if n := *i; n < layout.Len {
			k.Slot = layout.Slots[n].Offset
		} else {
			k.Slot = layout.Texts[n-layout.Len]
		}
		*i++
		if k.Addr, k.Size = hostLarge(hostWord(addr + uintptr(k.Slot))); k.Addr != 0 && a.Older(k.Addr, get) {
			return k, true
		}
	}
	return k, false
}
