package core

import "unsafe"

// A Region is reserved address space that becomes usable from its start
// onwards. Memory that was never asked for costs nothing.
type Region struct {
	base     unsafe.Pointer
	reserved uintptr
	ready    uintptr // bytes from base that may be read and written; they start zeroed
}

// regionStep is the least number of bytes that a Region grows by.
const regionStep = 64 << 10

// Init hands the reserved address space to r.
func (r *Region) Init(base unsafe.Pointer, reserved uintptr) {
	r.base, r.reserved, r.ready = base, reserved, 0
}

// Need makes the first n bytes usable and reports whether they are. The caller
// holds the lock that guards r.
func (r *Region) Need(n uintptr) bool {
	if n <= r.ready {
		return true
	}
	if n > r.reserved {
		return false
	}
	n = min((n+regionStep-1)&^(regionStep-1), r.reserved)
	hostCommit(unsafe.Add(r.base, r.ready), n-r.ready)
	r.ready = n
	return true
}
