package core

import "unsafe"

// A Family lists the ranges that an object has beside itself: while it is out,
// what New allocated for it; while it is in a pool, what it owns. It belongs to
// the object's record and is guarded by the lock of that record's shard.
type Family struct {
	Members [FamilySize]Member
	Len     uint32
}

// A Member is one range of a family.
type Member struct {
	Addr   uintptr
	Size   uintptr
	Slot   uint32 // offset of the field that points to it, in the struct that holds it
	Holder uint32 // which struct holds it: 0 the object, else member Holder-1
	What   What
	Noscan bool // its bytes are no pointers
	Born   bool // New allocated it
	Young  bool // it is known to be no older than the object's first Get

	Changes bool // holds locks or atomics
}

// FamilySize is how many ranges a family can have: the rows or elements of one slice, and some more. What an
// object owns beyond that is not tracked: fewer reports, none that is false.
const FamilySize = mostRows + 8

const familyCount = 1 << 18

// FamilyReserve is the address space that Families.Init needs.
const FamilyReserve = familyCount*spareSpace + familyCount*unsafe.Sizeof(familyBlock{})

// A familyBlock has eight ranges of a family, or fewer, and the number of the next one.
type familyBlock struct {
	members   [8]Member
	len, next uint32
}

// Families is the store of all families: each is a list of blocks, with the number of its first. The caller of New
// and Release holds its lock.
type Families struct {
	base unsafe.Pointer
	mem  Region
	used uint32
	free spares
	Lost uint64 // families that found no place
}

// Init hands f reserved address space.
func (f *Families) Init(reserve unsafe.Pointer) {
	f.free.init(reserve, familyCount)
	f.base = unsafe.Add(reserve, familyCount*spareSpace)
	f.mem.Init(f.base, familyCount*unsafe.Sizeof(familyBlock{}))
	f.used = 1
	f.mem.Need(unsafe.Sizeof(familyBlock{}))
}

func (f *Families) at(n uint32) *familyBlock {
	return (*familyBlock)(unsafe.Add(f.base, uintptr(n)*unsafe.Sizeof(familyBlock{})))
}

// New returns the number of an empty block; 0 when there is no room.
func (f *Families) New() uint32 {
	if f.free.n != 0 {
		return f.free.pop()
	}
	if f.used == familyCount || !f.mem.Need(uintptr(f.used+1)*unsafe.Sizeof(familyBlock{})) {
		f.Lost++
		return 0
	}
	f.used++
	return f.used - 1
}

// Release gives a block back that Leave has emptied.
func (f *Families) Release(n uint32) { f.free.push(n) }

// Leave empties a block and returns the one after it.
func (f *Families) Leave(n uint32) (next uint32) {
	k := f.at(n)
	next, k.next, k.len = k.next, 0, 0
	return next
}

// Read fills g with the family that begins with block n; 0 is an empty one.
func (f *Families) Read(n uint32, g *Family) {
	g.Len = 0
	for ; n != 0; n = f.at(n).next {
		k := f.at(n)
		for i := uint32(0); i < k.len; i++ {
			g.Members[g.Len] = k.members[i]
			g.Len++
		}
	}
}

// Write stores g from block n on, with more blocks if these do not do. It reports whether all of
// g found room.
func (f *Families) Write(n uint32, g *Family, more func() uint32) bool {
	for i := uint32(0); ; n = f.at(n).next {
		k := f.at(n)
		for k.len = 0; k.len < uint32(len(k.members)) && i < g.Len; k.len++ {
			k.members[k.len] = g.Members[i]
			i++
		}
		if i < g.Len && k.next == 0 {
			if k.next = more(); k.next == 0 {
				return false
			}
		}
		if k.next == 0 {
			return true
		}
	}
}
