package core

import (
	"math/rand/v2"
	"testing"
)

// Ranges of any length and at any address, also several in eight bytes, come and go: a byte is seen in a pool
// if and only if it is.
func TestRangesThatShareEightBytesAreToldApart(t *testing.T) {
	const bytes = 120
	rng := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		s, table := newShadow(t), smallTable(t)
		var has [bytes]*Record
		for range 200 {
			from := rng.IntN(bytes)
			switch r := has[from]; {
			case r == nil:
				n := 1
				for most := 1 + rng.IntN([]int{4, 40}[rng.IntN(2)]); n < most && from+n < bytes && has[from+n] == nil; {
					n++
				}
				r = table.Insert(windowLow+uintptr(from), uintptr(n))
				s.Track(r.Addr)
				for i := range n {
					has[from+i] = r
				}
			case rng.IntN(4) == 0:
				for i := range has {
					if has[i] == r {
						has[i] = nil
					}
				}
				table.Forget(s, r)
			case r.State == Out:
				r.State = In
				s.Mark(r.Addr, r.Size)
			default:
				table.Leave(s, r, []State{Out, Muted}[rng.IntN(2)])
			}
			for at := range bytes {
				n := 1 + rng.IntN(20)
				var want *Record
				for i := at; i < min(at+n, bytes) && want == nil; i++ {
					if has[i] != nil && has[i].State == In {
						want = has[i]
					}
				}
				addr := windowLow + uintptr(at)
				got := table.Touching(s, addr, uintptr(n), In)
				if (got == nil) != (want == nil) || got != nil && (got.State != In || got.Addr >= addr+uintptr(n) || got.Addr+got.Size <= addr) {
					t.Fatalf("the %d bytes at %d: %+v, want %+v", n, at, got, want)
				}
				if want != nil && (s.Clean(addr, uintptr(n)) || !s.Pooled(addr, uintptr(n))) {
					t.Fatalf("the %d bytes at %d are clean", n, at)
				}
				if r := has[at]; r != nil && r.Addr == addr && s.FirstStart(addr, 1) == 0 {
					t.Fatalf("the range at %d does not start", at)
				}
			}
		}
	}
}
