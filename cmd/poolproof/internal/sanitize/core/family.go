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

// FamilySize is how many ranges a family can have. What an object owns beyond
// that is not tracked: fewer reports, none that is false.
const FamilySize = 24

const familyCount = 1 << 18

// FamilyReserve is the address space that Families.Init needs.
const FamilyReserve = familyCount*spareSpace + familyCount*unsafe.Sizeof(Family{})

// Families is the store of all families. The caller holds its lock.
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
	f.mem.Init(f.base, familyCount*unsafe.Sizeof(Family{}))
	f.used = 1 // 0 says that there is none
	f.mem.Need(unsafe.Sizeof(Family{}))
}

// At returns a family by its number, which is not 0.
func (f *Families) At(n uint32) *Family {
	return (*Family)(unsafe.Add(f.base, uintptr(n)*unsafe.Sizeof(Family{})))
}

// New returns the number of a family, to be filled by Copy; 0 when there is no
// room.
func (f *Families) New() uint32 {
	if f.free.n != 0 {
		return f.free.pop()
	}
	if f.used == familyCount || !f.mem.Need(uintptr(f.used+1)*unsafe.Sizeof(Family{})) {
		f.Lost++
		return 0
	}
	f.used++
	return f.used - 1
}

// Release gives a family back; 0 is allowed.
func (f *Families) Release(n uint32) {
	if n != 0 {
		f.free.push(n)
	}
}

// Copy replaces f by g, without what lies beyond g's length.
func (f *Family) Copy(g *Family) {
	for i := uint32(0); i < g.Len; i++ {
		f.Members[i] = g.Members[i]
	}
	f.Len = g.Len
}
