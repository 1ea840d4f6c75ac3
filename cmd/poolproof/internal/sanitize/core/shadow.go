package core

import "unsafe"

// A Shadow has one byte for each 8 bytes of heap, a granule:
//
//	bit 0  a tracked range starts here
//	bit 7  the granule holds bytes of a range that is in a pool
//
// The byte of an inner granule leads back to the start of its range. Bytes of
// a granule that a range starts or ends in may belong to others: a set bit 7 is a
// suspicion, which the range's record confirms or not.
type Shadow struct {
	low  uintptr        // address of the first byte of heap that has a shadow
	size uintptr        // bytes of heap that have one; only grows
	base unsafe.Pointer // shadow of low
	mem  Region
}

// The bits of a shadow byte.
const (
	shadowStart  = 1 << 0
	shadowPooled = 1 << 7

	granule     = 8
	eightPooled = shadowPooled * 0x0101010101010101
)

// shadowSlack is readable beyond the shadow of the last granule: Pooled loads
// eight bytes wherever it starts.
const shadowSlack = 64

// coverStep is how much heap Cover adds to the window at least: what the
// runtime asks the system for at once.
const coverStep = 64 << 20

// ShadowSpace returns the address space that a Shadow of so many bytes needs.
func ShadowSpace(window uintptr) uintptr { return window/granule + regionStep }

// Init makes s the shadow of the heap from low onwards. low is a multiple of
// the granule, space as of ShadowSpace. Cover makes parts of it usable.
func (s *Shadow) Init(low uintptr, base unsafe.Pointer, space uintptr) {
	s.low, s.base = low, base
	s.mem.Init(base, space)
}

// Cover makes the heap below end part of the window and reports whether it is.
// The caller holds the lock that guards the window's size.
func (s *Shadow) Cover(end uintptr) bool {
	if end < s.low {
		return false
	}
	n := end - s.low
	if n <= s.size {
		return true
	}
	n = (n + coverStep - 1) &^ (coverStep - 1)
	if !s.mem.Need(n/granule + shadowSlack) {
		return false
	}
	s.size = (s.mem.ready - shadowSlack) * granule
	return true
}

// Covers reports whether the range lies in the window.
func (s *Shadow) Covers(addr, n uintptr) bool {
	off := addr - s.low
	return off < s.size && n <= s.size-off
}

// cleanBytes is how many bytes lie in eight granules wherever they start.
const cleanBytes = 7*granule + 1

// Clean reports whether none of the n bytes at addr lies in a granule that is
// in a pool, as far as that can be told at a glance: it is called for each
// access of the program to its memory, and must be small enough to be inlined.
//
// One load looks at eight granules, which is enough for up to 57 bytes; the
// bytes of further granules are shifted out. More bytes are hardly ever said to
// be clean.
//
//go:nosplit
func (s *Shadow) Clean(addr, n uintptr) bool {
	off := addr - s.low
	if off >= s.size {
		return true
	}
	marks := *(*uint64)(unsafe.Add(s.base, off/granule)) & eightPooled
	if marks == 0 {
		return n <= cleanBytes // mostly: nothing near is in a pool
	}
	g := (off%granule + n + granule - 1) / granule
	if hostBigEndian {
		return g <= 8 && marks>>(64-8*g) == 0
	}
	return g <= 8 && marks<<(64-8*g) == 0
}

// Pooled reports whether one of the n bytes at addr lies in a granule that is
// in a pool.
//
//go:nosplit
func (s *Shadow) Pooled(addr, n uintptr) bool {
	off := addr - s.low
	if off >= s.size {
		return false
	}
	g := (off%granule + n + granule - 1) / granule
	if g > 8 {
		return s.pooledLong(off/granule, g)
	}
	marks := *(*uint64)(unsafe.Add(s.base, off/granule)) & eightPooled
	if hostBigEndian {
		return marks>>(64-8*g) != 0
	}
	return marks<<(64-8*g) != 0
}

// pooledLong is Pooled for g granules from the i-th on.
//
//go:nosplit
func (s *Shadow) pooledLong(i, g uintptr) bool {
	if all := s.size / granule; g > all-i {
		g = all - i
	}
	for ; g >= 8; i, g = i+8, g-8 {
		if *(*uint64)(unsafe.Add(s.base, i))&eightPooled != 0 {
			return true
		}
	}
	for ; g > 0; i, g = i+1, g-1 {
		if *s.at(i)&shadowPooled != 0 {
			return true
		}
	}
	return false
}

// Empty reports whether no granule of the n bytes at addr has a mark of any
// kind. It is called for each object that the collector frees.
//
//go:nosplit
func (s *Shadow) Empty(addr, n uintptr) bool {
	off := addr - s.low
	if off >= s.size {
		return true
	}
	i, g := off/granule, (off&(granule-1)+n+granule-1)/granule
	if all := s.size / granule; g > all-i {
		g = all - i
	}
	for ; g >= 8; i, g = i+8, g-8 {
		if *(*uint64)(unsafe.Add(s.base, i)) != 0 {
			return false
		}
	}
	for ; g > 0; i, g = i+1, g-1 {
		if *s.at(i) != 0 {
			return false
		}
	}
	return true
}

//go:nosplit
func (s *Shadow) at(i uintptr) *byte { return (*byte)(unsafe.Add(s.base, i)) }

// span returns the granules of a range in the window: the first, and how many.
func (s *Shadow) span(addr, n uintptr) (i, g uintptr) {
	off := addr - s.low
	return off / granule, (off%granule + n + granule - 1) / granule
}

// Track notes that a range starts at addr, and that it is not in a pool.
func (s *Shadow) Track(addr uintptr) { *s.at((addr - s.low) / granule) |= shadowStart }

// pool notes that the granule at addr has bytes that are in a pool.
func (s *Shadow) pool(addr uintptr) { *s.at((addr - s.low) / granule) |= shadowPooled }

// Mark notes that the range is in a pool.
func (s *Shadow) Mark(addr, n uintptr) {
	i, g := s.span(addr, n)
	*s.at(i) |= shadowStart | shadowPooled
	for ; g >= 8; i, g = i+8, g-8 {
		*(*uint64)(unsafe.Add(s.base, i)) |= eightPooled
	}
	for ; g > 0; i, g = i+1, g-1 {
		*s.at(i) |= shadowPooled
	}
}

// Unmark takes the range out of its pool; it stays tracked.
func (s *Shadow) Unmark(addr, n uintptr) {
	i, g := s.span(addr, n)
	for ; g >= 8; i, g = i+8, g-8 {
		*(*uint64)(unsafe.Add(s.base, i)) &^= eightPooled
	}
	for ; g > 0; i, g = i+1, g-1 {
		*s.at(i) &^= shadowPooled
	}
}

// Forget takes the range out of its pool and no longer tracks it.
func (s *Shadow) Forget(addr, n uintptr) {
	s.Unmark(addr, n)
	*s.at((addr - s.low) / granule) &^= shadowStart
}

// FirstPooled returns the address of the first granule of the n bytes at addr
// that is in a pool; 0 if there is none.
func (s *Shadow) FirstPooled(addr, n uintptr) uintptr {
	return s.first(addr, n, shadowPooled)
}

// FirstStart returns the address of the first granule of the n bytes at addr
// in which a tracked range starts; 0 if there is none.
func (s *Shadow) FirstStart(addr, n uintptr) uintptr {
	return s.first(addr, n, shadowStart)
}

func (s *Shadow) first(addr, n uintptr, bit byte) uintptr {
	off := addr - s.low
	if off >= s.size {
		return 0
	}
	wide := uint64(bit) * 0x0101010101010101
	i, end := off/granule, (off+n+granule-1)/granule
	if all := s.size / granule; end > all {
		end = all
	}
	for i < end {
		if i+8 <= end && *(*uint64)(unsafe.Add(s.base, i))&wide == 0 {
			i += 8
			continue
		}
		if *s.at(i)&bit != 0 {
			return s.low + i*granule
		}
		i++
	}
	return 0
}

// Start returns the address of the last granule up to that of addr in which a range starts. That of addr is
// in a pool. 0 says that it was taken out meanwhile.
func (s *Shadow) Start(addr uintptr) uintptr {
	off := addr - s.low
	if off >= s.size {
		return 0
	}
	for i := off / granule; ; i-- {
		b := *s.at(i)
		if b&shadowPooled == 0 {
			return 0
		}
		if b&shadowStart != 0 {
			return s.low + i*granule
		}
		if i == 0 {
			return 0
		}
	}
}
