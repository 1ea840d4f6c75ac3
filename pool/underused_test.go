package pool_test

import (
	"fmt"
	"testing"

	"github.com/poolproof/poolproof/pool"
)

func TestALargeObjectIsDroppedAtItsFourthBadUseRunning(t *testing.T) {
	exactly(t)
	const k = 1 << 10
	bad, good := [2]int{64 * k, 16*k - 1}, [2]int{64 * k, 16 * k}
	for _, c := range []struct {
		name string
		uses [][2]int // size and used
		drop int      // the use that drops the object, -1 for none
	}{
		{"always bad", [][2]int{bad, bad, bad, bad}, 3},
		{"always a quarter", [][2]int{good, good, good, good, good, good}, -1},
		{"a good use between", [][2]int{bad, bad, bad, good, bad, bad, bad, good, bad, bad, bad, bad}, 11},
		{"small whatever is used", [][2]int{{4 * k, 0}, {4 * k, 0}, {4 * k, 0}, {4 * k, 0}, {4 * k, 0}}, -1},
		{"just not small", [][2]int{{4*k + 1, 0}, {4*k + 1, 0}, {4*k + 1, 0}, {4*k + 1, 0}}, 3},
		{"small between", [][2]int{bad, bad, bad, {4 * k, 0}, bad, bad, bad, bad}, 7},
		{"used more than its size", [][2]int{bad, bad, bad, {8 * k, 99 * k}, bad, bad, bad}, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := pool.New(pool.Options[sized]{Size: sizeOf, Used: usedOf, DropUnderused: true})
			x := p.Get()
			for i, use := range c.uses {
				x.size, x.used = use[0], use[1]
				p.Put(x)
				next := p.Get()
				if dropped := next != x; dropped != (i == c.drop) {
					t.Fatalf("use %d of size %d and %d used: dropped %t", i, use[0], use[1], dropped)
				}
			}
			want := uint64(0)
			if c.drop >= 0 {
				want = 1
			}
			if got := p.Stats().Dropped; got != (pool.Drops{Underused: want}) {
				t.Errorf("dropped %+v, want %d for DropUnderused", got, want)
			}
		})
	}
}

// With more objects than the pool remembers, no object is dropped before its
// fourth bad use, and all are dropped some time.
func TestBadUsesMayBeForgottenAndAreNeverInvented(t *testing.T) {
	exactly(t)
	for _, n := range []int{1, 16, 256, 2000} {
		t.Run(fmt.Sprintf("%d objects", n), func(t *testing.T) {
			p := pool.New(pool.Options[sized]{Size: sizeOf, Used: usedOf, DropUnderused: true})
			uses := make(map[*sized]int)
			all := make(map[*sized]bool)
			for range n {
				x := &sized{size: 1 << 20}
				all[x] = true
			}
			for round := 1; len(all) > 0; round++ {
				if round > 20*n+10 {
					t.Fatalf("%d of %d objects stay for ever", len(all), n)
				}
				for x := range all {
					before := p.Stats().Dropped.Underused
					p.Put(x)
					uses[x]++
					if p.Stats().Dropped.Underused == before {
						if p.Get() != x {
							t.Fatal("an object was put and did not come back")
						}
						continue
					}
					if uses[x] < 4 {
						t.Fatalf("an object was dropped at bad use %d", uses[x])
					}
					delete(all, x)
				}
			}
		})
	}
}
