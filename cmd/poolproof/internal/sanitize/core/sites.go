package core

import "unsafe"

// A Site is one place that calls Get on one pool, and what became of the
// objects that it got. Objects that a program made itself and Put are counted
// at the site with Get stack 0.
type Site struct {
	Pool     uintptr
	GetStack uint32
	Type     uint64 // of the objects, as found in the interface; 0: none seen; Several. Changed atomically

	New   uintptr // the code of the New that made what the last Get gave; 0: none did
	Keeps uint64  // what code outside keeps of the objects of one type that come from here, see Kept

	// Changed atomically.
	Rest   Tally  // what was counted where there was no processor's own Tally
	Leaked uint64 // objects that were freed without a Put
	Others uint64 // bytes of arrays in fields of objects that were put, which are not followed
}

// Kept returns what code outside keeps of the objects of a type, if it is known.
func (s *Site) Kept(typ uintptr) (k Keeping, known bool) {
	word := hostLoad64(&s.Keeps)
	return Keeping(word & 3), word&^3 == uint64(typ)
}

// Keep notes it. One word has both: the address of a type is a multiple of four.
func (s *Site) Keep(typ uintptr, k Keeping) {
	for !hostSwap64(&s.Keeps, hostLoad64(&s.Keeps), uint64(typ)|uint64(k)) {
	}
}

// Several is the Type of a Site whose objects have different types.
const Several = 1

// Saw notes the type of an object that a Get at s gave.
func (s *Site) Saw(typ uintptr) {
	for {
		old, now := hostLoad64(&s.Type), uint64(typ)
		if old == now || old == Several {
			return
		}
		if old != 0 {
			now = Several
		}
		if hostSwap64(&s.Type, old, now) {
			return
		}
	}
}

// Beyond is the Site that stands for all that find no room.
const Beyond = 1

// Sites finds a Site by pool and Get stack. Find takes no lock; Add is called
// under the lock of the Sites.
type Sites struct {
	index *[sitesIndex]uint32
	base  unsafe.Pointer
	mem   Region
	used  uint32
}

// The size of the table of sites.
const (
	sitesCount = 1 << 15
	sitesIndex = 1 << 16

	SitesReserve = sitesCount * unsafe.Sizeof(Site{})
	SitesMemory  = sitesIndex * 4
)

// Init hands s reserved address space and usable zeroed memory for its index.
func (s *Sites) Init(reserve, memory unsafe.Pointer) {
	s.base, s.index = reserve, (*[sitesIndex]uint32)(memory)
	s.mem.Init(reserve, SitesReserve)
	s.mem.Need((Beyond + 1) * unsafe.Sizeof(Site{}))
	s.used = Beyond + 1 // 0 says that there is none
}

// At returns a site by its number.
func (s *Sites) At(n uint32) *Site {
	return (*Site)(unsafe.Add(s.base, uintptr(n)*unsafe.Sizeof(Site{})))
}

// End returns how many numbers are in use; the first is Beyond.
func (s *Sites) End() uint32 { return hostLoad(&s.used) }

// Find returns the number of a site; 0 if it is not there.
func (s *Sites) Find(pool uintptr, stack uint32) uint32 {
	for i := siteHash(pool, stack); ; i++ {
		n := hostLoad(&s.index[i%sitesIndex])
		if n == 0 {
			return 0
		}
		if at := s.At(n); at.Pool == pool && at.GetStack == stack {
			return n
		}
	}
}

// Add returns the number of a site, which it makes if need be; Beyond when there
// is no room.
func (s *Sites) Add(pool uintptr, stack uint32) uint32 {
	if n := s.Find(pool, stack); n != 0 {
		return n
	}
	if s.used == sitesCount || !s.mem.Need(uintptr(s.used+1)*unsafe.Sizeof(Site{})) {
		return Beyond
	}
	at := s.At(s.used)
	at.Pool, at.GetStack = pool, stack
	i := siteHash(pool, stack)
	for s.index[i%sitesIndex] != 0 {
		i++
	}
	hostStore(&s.index[i%sitesIndex], s.used)
	hostStore(&s.used, s.used+1)
	return s.used - 1
}

func siteHash(pool uintptr, stack uint32) uint64 { return mix(uint64(pool) ^ uint64(stack)<<48) }

// A Tally holds the counts of one processor at a Site: it need not ask the
// others for the Site's cache line at each Get and Put.
type Tally struct {
	Puts  uint64
	Gets  uint64
	Hits  uint64 // Gets that the real pool would have served
	Bytes uint64 // owned by the objects that were Put
}

// Tallies has the Tally of each Site, by number, for one processor.
type Tallies struct {
	base unsafe.Pointer
	mem  Region
}

// TalliesReserve is the address space that Tallies.Init needs.
const TalliesReserve = sitesCount * unsafe.Sizeof(Tally{})

// Init hands t reserved address space.
func (t *Tallies) Init(reserve unsafe.Pointer) {
	t.base = reserve
	t.mem.Init(reserve, TalliesReserve)
}

// Of returns the Tally of a site. Only its own processor calls it.
func (t *Tallies) Of(site uint32) *Tally {
	t.mem.Need(uintptr(site+1) * unsafe.Sizeof(Tally{}))
	return t.at(site)
}

func (t *Tallies) at(site uint32) *Tally {
	return (*Tally)(unsafe.Add(t.base, uintptr(site)*unsafe.Sizeof(Tally{})))
}

// AddTo adds what was counted at a site to all that is known of it.
func (t *Tallies) AddTo(all *Tally, site uint32) {
	if uintptr(site+1)*unsafe.Sizeof(Tally{}) <= t.mem.ready {
		c := t.at(site)
		all.Puts, all.Gets, all.Hits, all.Bytes = all.Puts+c.Puts, all.Gets+c.Gets, all.Hits+c.Hits, all.Bytes+c.Bytes
	}
}
