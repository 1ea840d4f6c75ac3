package core

import "unsafe"

// spares holds numbers that are free: of records, of families. They are kept apart
// from what they number, since that is in no cache when its turn comes again: to
// take a number needs no look at it.
type spares struct {
	base unsafe.Pointer // [most]uint32
	mem  Region
	n    uint32
}

// spareSpace is the address space of each number.
const spareSpace = 4

func (s *spares) init(reserve unsafe.Pointer, most uint32) {
	s.base = reserve
	s.mem.Init(reserve, uintptr(most)*spareSpace)
}

func (s *spares) push(v uint32) {
	if s.mem.Need(uintptr(s.n+1) * spareSpace) {
		*(*uint32)(unsafe.Add(s.base, uintptr(s.n)*spareSpace)) = v
		s.n++
	}
}

// pop takes the number that was pushed last; there is one.
func (s *spares) pop() uint32 {
	s.n--
	return *(*uint32)(unsafe.Add(s.base, uintptr(s.n)*spareSpace))
}
