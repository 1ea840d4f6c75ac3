package core

import "unsafe"

// Texts keeps each text once, by number: names of tests. The caller holds its
// lock. Text 0 is empty.
type Texts struct {
	bytes Region
	ends  *[textsCount]uint32 // end of each text; it starts where the one before ends
	hash  *[textsIndex]uint32
	used  uint32
	Lost  uint64 // texts that found no place, each time
}

// The size of the store of texts.
const (
	textsCount = 1 << 17
	textsIndex = 1 << 18

	TextsReserve = 16 << 20
	TextsMemory  = (textsCount + textsIndex) * 4
)

// Init hands t reserved address space, and usable zeroed memory.
func (t *Texts) Init(reserve, memory unsafe.Pointer) {
	t.bytes.Init(reserve, TextsReserve)
	t.ends = (*[textsCount]uint32)(memory)
	t.hash = (*[textsIndex]uint32)(unsafe.Add(memory, textsCount*4))
	t.used = 1
}

// At returns where a text is and how long.
func (t *Texts) At(n uint32) (unsafe.Pointer, uintptr) {
	if n == 0 {
		return t.bytes.base, 0
	}
	from := t.ends[n-1]
	return unsafe.Add(t.bytes.base, from), uintptr(t.ends[n] - from)
}

// Number returns the number of a text, which it keeps if it is new; 0 when
// there is no room.
func (t *Texts) Number(s string) uint32 {
	if s == "" {
		return 0
	}
	h := uint64(len(s))
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	i := mix(h) % textsIndex
	for ; t.hash[i] != 0; i = (i + 1) % textsIndex {
		if t.is(t.hash[i], s) {
			return t.hash[i]
		}
	}
	from := uintptr(t.ends[t.used-1])
	if t.used == textsCount || !t.bytes.Need(from+uintptr(len(s))) {
		t.Lost++
		return 0
	}
	for k := 0; k < len(s); k++ {
		*(*byte)(unsafe.Add(t.bytes.base, from+uintptr(k))) = s[k]
	}
	t.ends[t.used] = uint32(from) + uint32(len(s))
	t.hash[i] = t.used
	t.used++
	return t.used - 1
}

func (t *Texts) is(n uint32, s string) bool {
	p, size := t.At(n)
	if size != uintptr(len(s)) {
		return false
	}
	for i := 0; i < len(s); i++ {
		if *(*byte)(unsafe.Add(p, i)) != s[i] {
			return false
		}
	}
	return true
}
