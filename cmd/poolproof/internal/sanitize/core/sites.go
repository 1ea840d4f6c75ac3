package core

import "unsafe"

// A Site is one place that calls Get on one pool, and what became of the
// objects that it got. Objects that a program made itself and Put are counted
// at the site with Get stack 0.
type Site struct {
	Pool     uintptr
	Type     uintptr // of the objects, as found in the interface; the last one seen
	GetStack uint32

	// Changed atomically.
	Puts   uint64
	Gets   uint64
	Hits   uint64 // Gets that the real pool would have served
	Leaked uint64 // objects that were freed without a Put
	Bytes  uint64 // owned by the objects that were Put
}

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
	s.mem.Need(unsafe.Sizeof(Site{}))
	s.used = 1 // site 0 takes what found no place
}

// At returns a site by its number.
func (s *Sites) At(n uint32) *Site {
	return (*Site)(unsafe.Add(s.base, uintptr(n)*unsafe.Sizeof(Site{})))
}

// End returns how many numbers are in use; the first is 1.
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

// Add returns the number of a site, which it makes if need be; 0 when there is
// no room.
func (s *Sites) Add(pool uintptr, stack uint32) uint32 {
	if n := s.Find(pool, stack); n != 0 {
		return n
	}
	if s.used == sitesCount || !s.mem.Need(uintptr(s.used+1)*unsafe.Sizeof(Site{})) {
		return 0
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

// Idle counts how many objects the real pool would hold now. It stands for all
// processors together, as if a Get found what any processor has put.
type Idle struct {
	epoch  uint32 // number of the collection that was last seen
	fresh  uint32 // put since it began
	victim uint32 // left from before it
}

// Put counts an object that comes back in an epoch: between two collections.
func (c *Idle) Put(epoch uint32) {
	c.roll(epoch)
	c.fresh++
}

// Get reports whether the pool would have had an object.
func (c *Idle) Get(epoch uint32) bool {
	c.roll(epoch)
	switch {
	case c.fresh > 0:
		c.fresh--
	case c.victim > 0:
		c.victim--
	default:
		return false
	}
	return true
}

// roll does what the collections since the last call did to the pool: each
// drops the victims and makes victims of the rest.
func (c *Idle) roll(epoch uint32) {
	switch epoch - c.epoch {
	case 0:
		return
	case 1:
		c.victim = c.fresh
	default:
		c.victim = 0
	}
	c.fresh, c.epoch = 0, epoch
}
