package pool

import (
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"github.com/poolproof/poolproof/internal/gcepoch"
)

// An object that is made where another was begins without bad uses.
func TestAnAddressThatIsUsedAgainBeginsAnew(t *testing.T) {
	var x [1]struct{ n [16]int }
	p := New(Options[struct{ n [16]int }]{
		New:           func() *struct{ n [16]int } { return &x[0] }, // as the allocator does after a collection
		Size:          func(*struct{ n [16]int }) int { return 1 << 20 },
		Used:          func(*struct{ n [16]int }) int { return 0 },
		DropUnderused: true,
	})
	s := p.more
	for range 10 {
		for range maxStrikes - 1 {
			if s.strikes.add(address(&x[0])) {
				t.Fatal("an object was dropped for the bad uses of an earlier one")
			}
		}
		s.create()
	}
}

func TestAddressesAreToldApartByAllTheirBits(t *testing.T) {
	var s strikes
	const base = uintptr(0xc000_1234)
	for bit := range 28 {
		other := base ^ 1<<bit
		for range maxStrikes - 1 {
			if s.add(base) {
				t.Fatal("dropped too early")
			}
		}
		if s.add(other) {
			t.Errorf("addresses that differ in bit %d are taken for one", bit)
		}
		s.clear(other)
		if !s.add(base) {
			t.Errorf("clearing an address that differs in bit %d cleared the other too", bit)
		}
	}
}

// Objects that are gone leave slots with high counts. They must not keep those
// that are here from being counted.
func TestSlotsOfObjectsThatAreGoneAreFreed(t *testing.T) {
	s := newStrikes()
	for i := range uintptr(10000) {
		for range maxStrikes - 1 {
			s.add(0xc000_0000 + 64*i)
		}
	}
	gcepoch.Collect(forgetAfter)
	for i := range s.buckets {
		for j := range s.buckets[i] {
			if v := s.buckets[i][j].Load(); v != 0 {
				t.Fatalf("slot %d of bucket %d still holds %#x", j, i, v)
			}
		}
	}
	runtime.KeepAlive(s)
}

// Owners of different objects count at the same time; each object's count is
// right or was forgotten, never ahead. Run with the race detector too.
func TestStrikesOfManyOwners(t *testing.T) {
	var s strikes
	var wg sync.WaitGroup
	for owner := range uintptr(64) {
		wg.Go(func() {
			r := rand.New(rand.NewPCG(1, uint64(owner)))
			bad := make(map[uintptr]int)
			for range 5000 {
				addr := 0xc000_0000 + 64*(owner+64*uintptr(r.IntN(8)))
				if r.IntN(5) == 0 {
					s.clear(addr)
					bad[addr] = 0
					continue
				}
				bad[addr]++
				if s.add(addr) {
					if bad[addr] < maxStrikes {
						t.Errorf("dropped after %d bad uses", bad[addr])
					}
					bad[addr] = 0
				}
			}
		})
	}
	wg.Wait()
}
