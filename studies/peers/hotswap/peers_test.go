package hotswappeers

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	hotswap "github.com/poolproof/poolproof/studies/hot-swap"
	"github.com/poolproof/poolproof/studies/hot-swap/practice"
	"github.com/poolproof/poolproof/studies/internal/exact"
)

// each runs a test of every peer with values of 64 bytes, 1 KiB and 64 KiB.
func each(t *testing.T, test64 func(*testing.T, Peer, Share[B64]), testKiB func(*testing.T, Peer, Share[KiB]), test64KiB func(*testing.T, Peer, Share[KiB64])) {
	for _, p := range Peers {
		t.Run(p.Name+"/64B", func(t *testing.T) { test64(t, p, p.B64()) })
		t.Run(p.Name+"/1KiB", func(t *testing.T) { testKiB(t, p, p.KiB()) })
		t.Run(p.Name+"/64KiB", func(t *testing.T) { test64KiB(t, p, p.KiB64()) })
	}
}

// mixed returns a word of x that differs from the first, false if there is none.
func mixed[V Words](x *V) (uint64, bool) {
	for i := range len(*x) {
		if (*x)[i] != (*x)[0] {
			return (*x)[i], true
		}
	}
	return 0, false
}

func TestAReadSeesWhatWasWrittenLast(t *testing.T) {
	each(t, seesLast[B64], seesLast[KiB], seesLast[KiB64])
}

func seesLast[V Words](t *testing.T, p Peer, share Share[V]) {
	writer, other := share.Goroutine(), share.Goroutine()
	for n := range uint64(20) {
		if n > 0 {
			writer.Write(n)
		}
		for _, g := range []Goroutine[V]{writer, other} {
			if sum := g.Reads(3); sum != 3*n {
				t.Errorf("3 reads of %d have the sum %d", n, sum)
			}
			g.See(func(x *V) {
				if (*x)[0] != n {
					t.Errorf("%d is current after %d was written", (*x)[0], n)
				}
				if w, ok := mixed(x); ok {
					t.Errorf("%d and %d are in one value", (*x)[0], w)
				}
			})
		}
	}
	writer.Release()
	other.Release()
	if sum := writer.Reads(1); sum != 19 {
		t.Errorf("a goroutine that has released reads %d, want 19", sum)
	}
}

func TestAValueStaysAsItIsWhileItIsRead(t *testing.T) {
	each(t, stays[B64], stays[KiB], stays[KiB64])
}

func stays[V Words](t *testing.T, p Peer, share Share[V]) {
	if p.Blocks {
		t.Skip("a reader would wait for itself")
	}
	g := share.Goroutine()
	g.Write(1)
	g.See(func(x *V) {
		for n := range uint64(10) {
			g.Write(2 + n)
			if w, ok := mixed(x); ok || (*x)[0] != 1 {
				t.Fatalf("1 became %d and %d while it was read", (*x)[0], w)
			}
		}
	})
}

func TestReadersSeeWholeValuesInTheirOrder(t *testing.T) {
	each(t, inOrder[B64], inOrder[KiB], inOrder[KiB64])
}

func inOrder[V Words](t *testing.T, p Peer, share Share[V]) {
	last := uint64(20_000)
	var x V
	if testing.Short() || len(x) > 1000 {
		last = 1000
	}
	var all sync.WaitGroup
	var done atomic.Bool
	all.Go(func() {
		g := share.Goroutine()
		defer g.Release()
		for n := range last {
			g.Write(n + 1)
		}
		done.Store(true)
	})
	for range 3 {
		all.Go(func() {
			g := share.Goroutine()
			defer g.Release()
			seen := uint64(0)
			look := func(x *V) {
				runtime.Gosched()
				if w, ok := mixed(x); ok {
					t.Errorf("%d and %d are in one value", (*x)[0], w)
				}
				if (*x)[0] < seen {
					t.Errorf("%d is current after %d was", (*x)[0], seen)
				}
				seen = (*x)[0]
			}
			for end := false; !end && !t.Failed(); {
				end = done.Load() // and read once more
				g.See(look)
				if now := g.Reads(1); now < seen {
					t.Errorf("%d is read after %d was current", now, seen)
				}
				if end && seen != last {
					t.Errorf("%d is current after %d was written last", seen, last)
				}
			}
		})
	}
	all.Wait()
}

func TestATeamDoesAsManyOperationsAsItIsTold(t *testing.T) {
	for _, goroutines := range []int{1, 2, 3, 8} {
		for _, every := range []int{0, 10, 1000} {
			share := &tally{}
			team := newTeam[B64](share, goroutines, every)
			total := 0
			for _, n := range []int{1, 0, 7, 1000, 12_345} { // also less than the goroutines
				team.run(n)
				total += n
			}
			team.crew.Close()
			reads, writes := int(share.reads.Load()), int(share.writes.Load())
			want := 0
			if every > 0 {
				want = total / every
			}
			if reads+writes != total || writes > want+goroutines || writes < want-goroutines {
				t.Errorf("%d goroutines, a write in %d: %d reads and %d writes, want %d in all and %d writes, or a few more or less",
					goroutines, every, reads, writes, total, want)
			}
		}
	}
}

// tally is a Share that counts.
type tally struct{ reads, writes atomic.Int64 }

func (c *tally) Goroutine() Goroutine[B64] { return c }
func (c *tally) Made() int                 { return 0 }
func (c *tally) Reads(n int) uint64        { c.reads.Add(int64(n)); return 0 }
func (c *tally) Write(uint64)              { c.writes.Add(1) }
func (c *tally) See(func(*B64))            {}
func (c *tally) Release()                  {}

func TestAReadAllocatesNothing(t *testing.T) {
	for _, p := range Peers {
		g := p.KiB().Goroutine()
		g.Reads(10)
		if allocs, bytes := exact.Counters(t, func() { g.Reads(10) }); allocs != 0 || bytes != 0 {
			t.Errorf("%s: %d allocations of %d bytes, want none", p.Name, allocs, bytes)
		}
	}
}

func TestAWriteAllocatesAValueOrNothing(t *testing.T) {
	for _, p := range Peers {
		want := uint64(0)
		if p.Name == "atomic" || p.Name == "rwmutex" {
			want = 1024
		}
		g := p.KiB().Goroutine()
		g.Write(1)
		g.Write(2)
		_, bytes := exact.Counters(t, func() { g.Write(3) })
		Exact(func() {
			if printed := Written(p); bytes != want || printed != want {
				t.Errorf("%s: %d bytes, in the table %d, want %d", p.Name, bytes, printed, want)
			}
		})
	}
}

// The first value is one of those that are made.
func TestValuesMadeForFiftyUpdates(t *testing.T) {
	exact.Pools(t)
	want := map[string][]int{ // by the collections between two updates: 0, 1, 2
		"counted": {2, 2, 51},
		"atomic":  {51, 51, 51},
		"rwmutex": {51, 51, 51},
		"inplace": {1, 1, 1},
		"rbmutex": {1, 1, 1},
	}
	for _, p := range Peers {
		want := want[p.Name]
		if want == nil {
			want = []int{2, 2, 2} // ours
		}
		for i, collections := range practice.Collections {
			if made := MadeForUpdates(p, 50, collections); made != want[i] {
				t.Errorf("%s with %d collections between updates: %d values made, want %d", p.Name, collections, made, want[i])
			}
		}
	}
}

// In place there is one value; a pointer keeps the current one, since the collector
// has taken those before, and so does a sync.Pool after three collections. What is
// used again for certain costs a second one.
func TestValuesHeldAfterCollections(t *testing.T) {
	exact.Pools(t)
	for _, p := range Peers {
		want := 1
		if p.Module == ours || p.Module == ours+"/poolswap" {
			want = 2
		}
		if got := Held(p); got != want {
			t.Errorf("%s holds %d values, want %d", p.Name, got, want)
		}
	}
}

func TestTheTableBehindRBMutexIsTheOneThatWasFilledLast(t *testing.T) {
	d := hotswap.NewData(100)
	keys, values := d.Columns()
	c := newRBTable(d.Fill(0))
	for version := range 4 {
		c.Replace(func(table *hotswap.Table) {
			if table.Len() != 0 || table.Version != 0 {
				t.Errorf("fill gets %d entries of version %d", table.Len(), table.Version)
			}
			d.Fill(version)(table)
		})
		first := version & 1 // an odd version lacks the first key
		want := 0
		for _, value := range values[first:] {
			want += hotswap.Weight(value)
		}
		if got := c.Lookup(keys); got != want {
			t.Errorf("version %d: the sum of the values is %d, want %d", version, got, want)
		}
		c.Read(func(table *hotswap.Table) {
			if table.Version != version || table.Len() != 100 {
				t.Errorf("version %d of %d entries is current, want version %d of 100", table.Version, table.Len(), version)
			}
		})
	}
	if c.Made() != 1 {
		t.Errorf("%d tables made, want 1", c.Made())
	}
}

// TestArmsAgree runs before the studies time anything.
func TestArmsAgree(t *testing.T) {
	for _, p := range Peers {
		g := p.KiB().Goroutine()
		sum := uint64(0)
		for n := range uint64(10) {
			g.Write(n)
			sum += g.Reads(100)
		}
		g.Release()
		if p.Name == Peers[0].Name {
			t.Logf("result: sum %d", sum)
		}
		if sum != 100*45 {
			t.Errorf("%s: sum %d, want %d", p.Name, sum, 100*45)
		}
	}
}
