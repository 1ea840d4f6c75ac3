package core

import "unsafe"

// A Depot keeps each stack once. Stacks are never removed, so that their
// numbers may be read without a lock; Add is called under the Depot's lock
// only when Find found nothing.
type Depot struct {
	index *[depotIndex]uint32 // open addressing; 0 is empty
	base  unsafe.Pointer      // [depotStacks]Stack
	mem   Region
	used  uint32
	Lost  uint64 // stacks that found no place, each time
}

// A Stack is a call stack, innermost first: return addresses of physical
// frames.
type Stack struct {
	hash uint64
	Lead uintptr // the first return address outside of the Go installation, once it was asked for
	Len  uint32
	PCs  [StackDepth]uintptr
}

// The size of the depot.
const (
	StackDepth  = 28
	depotStacks = 1 << 17
	depotIndex  = 1 << 18

	DepotReserve = depotStacks * unsafe.Sizeof(Stack{})
	DepotMemory  = depotIndex * 4
)

// Init hands d reserved address space for its stacks, and usable zeroed memory
// for its index. Stack 0 is the empty one.
func (d *Depot) Init(reserve, memory unsafe.Pointer) {
	d.base, d.index = reserve, (*[depotIndex]uint32)(memory)
	d.mem.Init(reserve, DepotReserve)
	d.mem.Need(unsafe.Sizeof(Stack{}))
	d.used = 1
}

// At returns a stack by its number.
func (d *Depot) At(n uint32) *Stack {
	return (*Stack)(unsafe.Add(d.base, uintptr(n)*unsafe.Sizeof(Stack{})))
}

// HashStack returns the hash of a stack.
func HashStack(pcs *[StackDepth]uintptr, n uint32) uint64 {
	// Two sums, for one would wait for each multiplication.
	const odd = 0x9e3779b97f4a7c15
	a, b := uint64(n), uint64(0)
	i := uint32(0)
	for ; i+1 < n; i += 2 {
		a = (a ^ uint64(pcs[i])) * odd
		b = (b ^ uint64(pcs[i+1])) * odd
	}
	if i < n {
		a = (a ^ uint64(pcs[i])) * odd
	}
	return mix(a ^ b>>32 ^ b<<32)
}

// Find returns the number of a stack; 0 if it is not there. It takes no lock.
func (d *Depot) Find(h uint64, pcs *[StackDepth]uintptr, n uint32) uint32 {
	for i := h % depotIndex; ; i = (i + 1) % depotIndex {
		s := hostLoad(&d.index[i])
		if s == 0 {
			return 0
		}
		if d.At(s).is(h, pcs, n) {
			return s
		}
	}
}

// Add puts a stack into the depot and returns its number: 0 when the depot is
// full, which makes it an unknown stack.
func (d *Depot) Add(h uint64, pcs *[StackDepth]uintptr, n uint32) uint32 {
	i := h % depotIndex
	for ; d.index[i] != 0; i = (i + 1) % depotIndex {
		if d.At(d.index[i]).is(h, pcs, n) {
			return d.index[i]
		}
	}
	if d.used == depotStacks || !d.mem.Need(uintptr(d.used+1)*unsafe.Sizeof(Stack{})) {
		d.Lost++
		return 0
	}
	s := d.At(d.used)
	s.hash, s.Len = h, n
	for k := uint32(0); k < n; k++ {
		s.PCs[k] = pcs[k]
	}
	hostStore(&d.index[i], d.used) // publishes the stack
	d.used++
	return d.used - 1
}

func (s *Stack) is(h uint64, pcs *[StackDepth]uintptr, n uint32) bool {
	if s.hash != h || s.Len != n {
		return false
	}
	for i := uint32(0); i < n; i++ {
		if s.PCs[i] != pcs[i] {
			return false
		}
	}
	return true
}
