package core

import "unsafe"

// Allocations remembers when memory of the heap was allocated, by a clock that
// advances before Gets. It forgets: a place has room for one address, and the
// next one that comes there replaces it. Of what it has forgotten the age is not
// known. It is read and written without a lock: an entry is one word.
type Allocations struct {
	slots *[allocationsCount]uint64 // the address but for what the place says, and the clock; 0 is empty
}

const (
	allocationsCount = 1 << 16
	allocationsUnit  = 4 // smaller objects share a place
	allocationsHigh  = allocationsUnit + 16

	// AllocationsMemory is the size of the memory for Allocations.Init.
	AllocationsMemory = allocationsCount * 8
)

// Age is how old memory is, compared with a time.
type Age uint8

// The ages.
const (
	Unknown Age = iota
	Old         // allocated before
	Young       // allocated at that time or later
)

// Init hands a usable zeroed memory.
func (a *Allocations) Init(memory unsafe.Pointer) { a.slots = (*[allocationsCount]uint64)(memory) }

// place returns where an address has its entry, and what the entry begins with. What is
// allocated one after the other lies side by side.
//
//go:nosplit
func (a *Allocations) place(addr uintptr) (slot *uint64, tag uint64) {
	high := uint64(addr) >> allocationsHigh
	return &a.slots[(uint64(addr)>>allocationsUnit^high)%allocationsCount], high<<1 | uint64(addr)>>3&1
}

// Born notes that the memory at addr was allocated at a time.
//
//go:nosplit
func (a *Allocations) Born(addr uintptr, clock uint32) {
	slot, tag := a.place(addr)
	*slot = tag<<clockBits | uint64(clock)
}

// When returns when the memory at addr was allocated; 0 if that is not known.
func (a *Allocations) When(addr uintptr) uint32 {
	if a == nil || a.slots == nil {
		return 0
	}
	slot, tag := a.place(addr)
	if word := *slot; word>>clockBits == tag {
		return uint32(word & LastClock)
	}
	return 0
}

// Age compares the memory at addr with a time; time 0 is not known.
func (a *Allocations) Age(addr uintptr, time uint32) Age {
	switch when := a.When(addr); {
	case time == 0 || when == 0:
		return Unknown
	case when < time:
		return Old
	}
	return Young
}
