package core

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

func TestAStackIsKeptOnce(t *testing.T) {
	var d Depot
	d.Init(memory(t, 64*regionStep), memory(t, DepotMemory))
	d.mem.reserved = 64 * regionStep
	numbers := map[[3]uintptr]uint32{}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		var pcs [StackDepth]uintptr
		key := [3]uintptr{uintptr(rng.IntN(10)), uintptr(rng.IntN(10)), uintptr(rng.IntN(10))}
		copy(pcs[:], key[:])
		n := 1 + uint32(rng.IntN(3))
		for i := n; i < 3; i++ {
			key[i] = math.MaxUint // not part of the stack
		}
		h := HashStack(&pcs, n)
		found := d.Find(h, &pcs, n)
		if found != numbers[key] {
			t.Fatalf("stack %v is %d, found as %d", key, numbers[key], found)
		}
		if got := d.Add(h, &pcs, n); found != 0 && got != found || got == 0 {
			t.Fatalf("stack %v is added as %d, was %d", key, got, found)
		} else {
			numbers[key] = got
		}
		if s := d.At(numbers[key]); s.Len != n || s.PCs[0] != pcs[0] {
			t.Fatalf("stack %v is %v", key, s)
		}
	}
}

func TestAFullDepotKnowsNoFurtherStack(t *testing.T) {
	var d Depot
	d.Init(memory(t, regionStep), memory(t, DepotMemory))
	d.mem.reserved = regionStep
	added := 0
	for i := range 1000 {
		pcs := [StackDepth]uintptr{uintptr(i + 1)}
		if d.Add(HashStack(&pcs, 1), &pcs, 1) != 0 {
			added++
		}
	}
	if most := int(regionStep/unsafe.Sizeof(Stack{})) - 1; added != most {
		t.Errorf("%d stacks in room for %d", added, most)
	}
}

func TestSimulatedHitsAreThoseOfTheRealPool(t *testing.T) {
	// The real pool of one processor: objects put since the last collection,
	// and those left from before it.
	type model struct{ fresh, victim int }
	var m model
	var c Idle
	epoch := uint32(0)
	rng := rand.New(rand.NewPCG(3, 4))
	for i := range 100000 {
		switch rng.IntN(12) {
		case 0:
			epoch++
			m.fresh, m.victim = 0, m.fresh
		case 1, 2, 3, 4, 5:
			m.fresh++
			c.Put(epoch)
		default:
			want := m.fresh+m.victim > 0
			if m.fresh > 0 {
				m.fresh--
			} else if m.victim > 0 {
				m.victim--
			}
			if got := c.Get(epoch); got != want {
				t.Fatalf("step %d: hit %v, want %v", i, got, want)
			}
		}
	}
}

func TestSitesAreFoundByPoolAndStack(t *testing.T) {
	var s Sites
	s.Init(memory(t, SitesReserve), memory(t, SitesMemory))
	seen := map[string]uint32{}
	for i := range uint32(3000) {
		pool, stack := uintptr(0xc000000000+uint64(i%30)*64), i%50
		n := s.Add(pool, stack)
		key := fmt.Sprint(pool, stack)
		if n == 0 || seen[key] != 0 && seen[key] != n || s.Find(pool, stack) != n || s.At(n).Pool != pool || s.At(n).GetStack != stack {
			t.Fatalf("site %s is %d, was %d", key, n, seen[key])
		}
		seen[key] = n
	}
	if int(s.End()) != len(seen)+Beyond+1 || s.Find(1, 1) != 0 {
		t.Errorf("%d sites, %d numbers", len(seen), s.End())
	}
	for i := range uintptr(sitesCount) {
		s.Add(i*8, 1<<20)
	}
	if n := s.Add(1<<40, 1); n != Beyond || s.End() != sitesCount {
		t.Errorf("a full table of %d gave number %d", s.End(), n)
	}
}

func TestASiteKnowsWhetherItsObjectsAreOfOneType(t *testing.T) {
	for _, tt := range []struct {
		saw  []uintptr
		want uint64
	}{
		{nil, 0},
		{[]uintptr{64}, 64},
		{[]uintptr{64, 64, 64}, 64},
		{[]uintptr{64, 128}, Several},
		{[]uintptr{64, 128, 128, 128}, Several},
		{[]uintptr{64, 128, 64}, Several},
	} {
		var s Site
		for _, typ := range tt.saw {
			s.Saw(typ)
		}
		if s.Type != tt.want {
			t.Errorf("after %d: %d, want %d", tt.saw, s.Type, tt.want)
		}
	}
}

func TestEachProcessorCountsForItself(t *testing.T) {
	reserve := func() *Tallies {
		x := new(Tallies)
		x.Init(memory(t, TalliesReserve))
		return x
	}
	a, b, idle := reserve(), reserve(), reserve()
	for range 3 {
		a.Of(7).Gets++
		b.Of(7).Puts++
		b.Of(sitesCount - 1).Bytes += 100
	}
	a.Of(7).Hits++
	b.Of(7).Gets += 10
	for site, want := range map[uint32]Tally{7: {Puts: 4, Gets: 13, Hits: 1}, sitesCount - 1: {Puts: 1, Bytes: 300}, 8: {Puts: 1}} {
		all := Tally{Puts: 1} // what is known of it already
		for _, x := range []*Tallies{a, b, idle} {
			x.AddTo(&all, site)
		}
		if all != want {
			t.Errorf("site %d: %+v, want %+v", site, all, want)
		}
	}
}

// TestOneCountForManyProcessors: none of the Puts and Gets that happen at the
// same time is lost, and no object is taken twice.
func TestOneCountForManyProcessors(t *testing.T) {
	var p Pools
	p.Init(memory(t, PoolsMemory))
	const each = 20000
	var wg sync.WaitGroup
	var hits atomic.Int64
	for range 4 {
		wg.Add(2)
		go func() {
			defer wg.Done()
			for range each {
				p.Of(64).Idle.Put(9)
			}
		}()
		go func() {
			defer wg.Done()
			for range each {
				if p.Of(64).Idle.Get(9) {
					hits.Add(1)
				}
			}
		}()
	}
	wg.Wait()
	left := int64(0)
	for p.Of(64).Idle.Get(9) {
		left++
	}
	if hits.Load()+left != 4*each {
		t.Errorf("%d Puts, %d hits and %d left", 4*each, hits.Load(), left)
	}
}

func TestPoolsBeyondTheTableShareACount(t *testing.T) {
	var p Pools
	p.Init(memory(t, PoolsMemory))
	if first := p.Of(64); p.Of(64) != first || p.Of(128) == first {
		t.Error("a pool has not its own count")
	}
	for i := range uintptr(poolsCount * 2) {
		if p.Of(i*64+64) == nil {
			t.Fatal("a pool has no count")
		}
	}
}

func TestTextsAreKeptOnce(t *testing.T) {
	var x Texts
	x.Init(memory(t, TextsReserve), memory(t, TextsMemory))
	names := []string{"", "TestA", "TestB", "TestA/sub", "TestÄ", strings.Repeat("x", 100000)}
	for range 3 {
		seen := map[uint32]bool{}
		for _, name := range names {
			n := x.Number(name)
			if seen[n] || name == "" && n != 0 {
				t.Errorf("%.9q has number %d", name, n)
			}
			seen[n] = true
			if p, size := x.At(n); unsafe.String((*byte)(p), size) != name {
				t.Errorf("%.9q is kept as %.9q", name, unsafe.String((*byte)(p), size))
			}
		}
	}
	for x.Number(strings.Repeat("y", 1<<20)+fmt.Sprint(x.used)) != 0 {
	}
	if x.Number("TestB") != 2 {
		t.Error("a full store has forgotten what it has")
	}
}

func TestOneMisuseIsOneFinding(t *testing.T) {
	var f Reports
	f.Init(memory(t, ReportsMemory), 3)
	key := func(n uintptr) ReportKey { return ReportKey{Access: n, Put: 1, Kind: 1} }
	for i, want := range []struct {
		n     uintptr
		id    uint32
		fresh bool
	}{{10, 1, true}, {10, 1, false}, {20, 2, true}, {10, 1, false}, {30, 3, true}, {40, 0, false}, {30, 3, false}, {50, 0, false}} {
		if id, fresh := f.Note(key(want.n)); id != want.id || fresh != want.fresh {
			t.Errorf("%d: finding %d, %v; want %d, %v", i, id, fresh, want.id, want.fresh)
		}
	}
	if f.At(1).Count != 3 || f.Cut != 2 || f.End() != 3 {
		t.Errorf("count %d, cut %d, %d findings", f.At(1).Count, f.Cut, f.End())
	}
	ignored := key(10)
	ignored.Ignored = true
	f.max = MaxReports
	if id, fresh := f.Note(ignored); id != 4 || !fresh {
		t.Error("what one caller ignores is what another one is told")
	}
	x := f.At(2)
	if !x.In(5) || x.In(5) || !x.In(0) || x.Len != 2 {
		t.Errorf("tests %v", x.Tests[:x.Len])
	}
}

func TestWhatAWriterWritesIsJSON(t *testing.T) {
	var w Writer
	buf := memory(t, 4096)
	w.Init(buf, 4096)
	text := "a \"quoted\" \\ line\n\tof <ünicode>\x01"
	w.Byte('{')
	w.String("text", text)
	w.Uint("most", math.MaxUint64)
	w.Uint("none", 0)
	w.Key("hex")
	w.Byte('"')
	w.Hex(0xc000012340)
	w.Hex(0)
	w.Byte('"')
	w.Key("parts")
	w.Byte('"')
	w.Escaped(text)
	w.Text("[...]")
	w.Byte('"')
	w.Byte('}')
	var got struct {
		Text, Hex, Parts string
		Most             uint64
		None             *uint64
	}
	line := unsafe.String((*byte)(w.Bytes()), w.Len())
	if err := json.Unmarshal([]byte(line), &got); err != nil || got.Text != text || got.Most != math.MaxUint64 || got.None == nil || got.Hex != "0xc0000123400x0" || got.Parts != text+"[...]" {
		t.Errorf("%s: %+v, %v", line, got, err)
	}
	w.Back(1)
	if w.Reset(); w.Len() != 0 {
		t.Error("not empty after Reset")
	}
	for range 5000 {
		w.Byte('x')
	}
	if !w.Full || w.Len() != 4096 {
		t.Errorf("%d bytes in 4096, full %v", w.Len(), w.Full)
	}
}

func TestARegionIsNeverUsedBeyondItsSpace(t *testing.T) {
	var r Region
	r.Init(memory(t, 3*regionStep), 3*regionStep-100)
	for _, tt := range []struct {
		n, ready uintptr
		ok       bool
	}{{1, regionStep, true}, {regionStep, regionStep, true}, {regionStep + 1, 2 * regionStep, true}, {3*regionStep - 100, 3*regionStep - 100, true}, {3 * regionStep, 3*regionStep - 100, false}} {
		if ok := r.Need(tt.n); ok != tt.ok || r.ready != tt.ready {
			t.Errorf("Need(%d) = %v with %d ready, want %v with %d", tt.n, ok, r.ready, tt.ok, tt.ready)
		}
	}
}

// TestReservesAreWholePages: each begins where the one before it ends, and the
// system makes whole pages usable, of 64 KiB at most.
func TestReservesAreWholePages(t *testing.T) {
	for name, n := range map[string]uintptr{
		"records of a shard": ShardRecords * unsafe.Sizeof(Record{}), "spare records of a shard": ShardRecords * spareSpace,
		"table": TableReserve, "spare families": familyCount * spareSpace, "families": FamilyReserve, "stacks": DepotReserve, "layouts": LayoutReserve,
		"sites": SitesReserve, "tallies": TalliesReserve, "texts": TextsReserve,
	} {
		if n == 0 || n%(64<<10) != 0 {
			t.Errorf("%s: %d bytes", name, n)
		}
	}
}
