package pool

import (
	"sync/atomic"
	"unsafe"

	"github.com/poolproof/poolproof/internal/gcepoch"
)

const (
	alwaysKept = 4 << 10 // bytes: the size up to which an object is never too large
	maxStrikes = 4       // the bad use that drops an object

	strikeBits    = 3
	strikeBuckets = 64 // a power of two
	strikeWays    = 4

	// forgetAfter is a number of collections. An object that lives on is used
	// at least once in two of them, or once in 8 from the reserve: so it can
	// have its bad uses in that time.
	forgetAfter = 64
)

// strikes counts the bad uses running of objects, by their addresses.
//
// A slot holds the address of an object above strikeBits and its count below;
// 0 is a free slot. The upper 3 of 64 bits of an address are lost, in which no
// two addresses of a process differ on any system that Go runs on: so a slot
// names its object exactly. The slots of an address are the four of one bucket.
//
// Why a bad use is never counted to another object: the slot of an address is
// made and raised only by the Put of the object there, which has one owner at a
// time; the next owner has got it through the pool. So these steps
// never overlap, and there is at most one slot of an address. Others only ever
// replace a slot as a whole, which forgets. Objects that the pool makes begin by
// clearing the slot of their address, which an object that is gone may have
// left. Only an object of other origin that is put may find such a slot; then it
// can be dropped at its first bad use, which is harmless.
//
// Slots of objects that were collected stay, and would fill the buckets: so all
// is forgotten every forgetAfter collections.
type strikes struct {
	buckets     [strikeBuckets][strikeWays]atomic.Uint64
	collections int // since all was forgotten; only collected uses it
}

func newStrikes() *strikes {
	s := new(strikes)
	gcepoch.OnGC(s, (*strikes).collected)
	return s
}

// collected is called after each collection.
func (s *strikes) collected() {
	if s.collections++; s.collections < forgetAfter {
		return
	}
	s.collections = 0
	for i := range s.buckets {
		for j := range s.buckets[i] {
			s.buckets[i][j].Store(0)
		}
	}
}

func (s *strikes) bucket(addr uintptr) *[strikeWays]atomic.Uint64 {
	h := uint64(addr) * 0x9e3779b97f4a7c15 // Fibonacci hashing
	return &s.buckets[h>>32%strikeBuckets]
}

// add counts a bad use and reports whether it was one too many, after which
// nothing is known of addr.
func (s *strikes) add(addr uintptr) bool {
	b := s.bucket(addr)
	lowest, least := &b[0], b[0].Load()
	for i := range b {
		slot := &b[i]
		v := slot.Load()
		if !names(v, addr) {
			if count(v) < count(least) {
				lowest, least = slot, v
			}
			continue
		}
		// A swap that fails was overtaken by one that replaced the slot.
		if count(v)+1 == maxStrikes {
			slot.CompareAndSwap(v, 0)
			return true
		}
		slot.CompareAndSwap(v, v+1)
		return false
	}
	// The slot with the lowest count goes, so that some count gets to the end
	// whatever the number of objects.
	lowest.CompareAndSwap(least, uint64(addr)<<strikeBits|1)
	return false
}

// clear forgets addr.
func (s *strikes) clear(addr uintptr) {
	b := s.bucket(addr)
	for i := range b {
		if v := b[i].Load(); names(v, addr) {
			b[i].CompareAndSwap(v, 0)
		}
	}
}

// names reports whether slot is that of addr.
func names(slot uint64, addr uintptr) bool {
	return slot>>strikeBits == uint64(addr)<<strikeBits>>strikeBits
}

// count returns the bad uses of the object of slot.
func count(slot uint64) uint64 { return slot % (1 << strikeBits) }

func address[T any](x *T) uintptr { return uintptr(unsafe.Pointer(x)) }
