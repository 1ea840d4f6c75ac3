package slots

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/poolproof/poolproof/hotswap/internal/atom"
)

// Two processors must not write the same cache line for different shards, so
// lines must be aligned, which the allocator does for arrays without pointers.
func TestCountersOfDifferentShardsAreOnDifferentLines(t *testing.T) {
	for shards := 1; shards <= MaxShards; shards *= 2 {
		table := NewTable(shards, 0)
		if a := uintptr(unsafe.Pointer(&table.lines[0])); a%128 != 0 || len(table.lines) != shards {
			t.Errorf("%d shards: the first of %d lines is at %#x, not at a multiple of 128", shards, len(table.lines), a)
		}
		slot := NewAnyShard(shards, 0).Claim()
		seen := make(map[uintptr]bool)
		for shard := range uint64(shards) {
			seen[uintptr(unsafe.Pointer(slot.counter(shard)))/128] = true
		}
		if len(seen) != shards {
			t.Errorf("any: %d shards are on %d lines", shards, len(seen))
		}
	}
	if size := unsafe.Sizeof(line{}); size != 128 {
		t.Errorf("a line has %d bytes", size)
	}
	if size := unsafe.Sizeof(counterLine{}); size != 128 {
		t.Errorf("a line of counters has %d bytes", size)
	}
	if size := unsafe.Sizeof(Slot{}); size != 128 && unsafe.Sizeof(uintptr(0)) == 8 {
		t.Errorf("a slot has %d bytes, want 128", size)
	}
}

func TestShardsAreAPowerOfTwoUpTo512(t *testing.T) {
	for _, test := range []struct{ n, procs, want int }{
		{1, 4, 1},
		{2, 4, 2},
		{3, 4, 4},
		{8, 4, 8},
		{9, 4, 16},
		{512, 4, 512},
		{513, 4, 512},
		{100_000, 4, 512},
		{0, 1, 8}, // 8 for each processor
		{0, 2, 16},
		{0, 3, 32},
		{0, 64, 512},
		{0, 65, 512},
	} {
		before := runtime.GOMAXPROCS(test.procs)
		got := Shards(test.n)
		runtime.GOMAXPROCS(before)
		if got != test.want {
			t.Errorf("%d shards on %d processors: %d, want %d", test.n, test.procs, got, test.want)
		}
	}
}

// The hint has 9 bits, so that more shards than that would be used by nobody, and
// all of MaxShards are used by somebody.
func TestTheHintReachesEachShard(t *testing.T) {
	if got := uint64(1<<64-1) >> hintShift; got != MaxShards-1 {
		t.Errorf("a hint has the values up to %d, want up to %d", got, MaxShards-1)
	}
}

// Many goroutines are spread over the shards, also when their stacks have grown
// and begin at multiples of a large size.
func TestReadersAreSpreadOverTheShards(t *testing.T) {
	const goroutines, shards = 256, 16
	for _, frames := range []int{0, 20} {
		var cell Cell
		cell.Init(NewTable(shards, 0))
		places := make([]*Place, goroutines)
		var start, wg sync.WaitGroup
		start.Add(goroutines)
		for i := range goroutines {
			wg.Go(func() {
				grow(frames)
				start.Done()
				start.Wait() // all have their stacks at the same time
				places[i] = cell.near()
			})
		}
		wg.Wait()
		var of [shards]int
		for _, n := range places {
			for shard := range of {
				if n == &cell.table.lines[shard].places[0] {
					of[shard]++
				}
			}
		}
		if fullest := slices.Max(of[:]); fullest > 4*goroutines/shards {
			t.Errorf("stacks grown by %d KiB: %d of %d goroutines have the same of %d shards: %v", frames, fullest, goroutines, shards, of)
		}
	}
}

// grow makes the stack of its goroutine that many KiB larger, and leaves it so.
//
//go:noinline
func grow(frames int) (sum byte) {
	var frame [1024]byte
	if frames > 0 {
		frame[frames] = grow(frames - 1)
	}
	for _, b := range frame {
		sum += b
	}
	return sum
}

func TestAWordKeepsGenerationAndStateApart(t *testing.T) {
	w := Word(0)
	for gen := range uint64(1000) {
		for _, state := range []Word{Empty, Spare, Owned, Live, Retired} {
			w = w.with(state)
			if w.Gen() != gen || w.State() != state {
				t.Fatalf("%#x has generation %d and state %d, want %d and %d", w, w.Gen(), w.State(), gen, state)
			}
		}
		if w = w.claimed(); w.Gen() != gen+1 || w.State() != Owned {
			t.Fatalf("claimed: generation %d and state %d, want %d and Owned", w.Gen(), w.State(), gen+1)
		}
	}
}

func TestSlotsAreIssuedUpToTheLimitAndFoundAgain(t *testing.T) {
	for _, limit := range []int{1, 2, 13, 14, 15, 30, 31, 100} {
		table := NewTable(1, limit)
		seen := make(map[*Slot]bool)
		for range limit {
			s := table.Claim()
			if s == nil || seen[s] || s.Fixed() || s.Word().State() != Owned || s.Word().Gen() != 1 {
				t.Fatalf("limit %d: Claim returned %v", limit, s)
			}
			seen[s] = true
		}
		if s := table.Claim(); s != nil {
			t.Errorf("limit %d: one more was issued", limit)
		}
		n := 0
		for s := range table.All {
			if !seen[s] {
				t.Errorf("limit %d: All has a slot that was not issued", limit)
			}
			n++
		}
		if n != limit || table.Len() != limit {
			t.Errorf("limit %d: All has %d slots, Len is %d", limit, n, table.Len())
		}
		for s := range seen {
			s.Give(Empty)
		}
		if s := table.Claim(); !seen[s] || s.Word().Gen() != 2 {
			t.Errorf("limit %d: an empty slot was not claimed", limit)
		}
	}
}

func TestClaimPrefersAFreeValue(t *testing.T) {
	table := NewTable(1, 0)
	empty, spare := table.Claim(), table.Claim()
	value := 7
	spare.Value = unsafe.Pointer(&value)
	empty.Give(empty.Idle())
	spare.Give(spare.Idle())
	if s := table.ClaimEmpty(); s != empty {
		t.Error("ClaimEmpty did not return the empty slot")
	}
	empty.Give(Empty)
	if s := table.Claim(); s != spare {
		t.Error("Claim did not return the slot with a value")
	}
	if s := table.Claim(); s != empty {
		t.Error("Claim did not return the empty slot then")
	}
}

func TestAGateWakesAllWhoWait(t *testing.T) {
	var g Gate
	g.Pass() // nobody
	var mu sync.Mutex
	ready := false
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			err := g.Await(context.Background(), nil, func() bool {
				mu.Lock()
				defer mu.Unlock()
				return ready
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	time.Sleep(time.Millisecond) // most of them wait now; none needs to
	mu.Lock()
	ready = true
	mu.Unlock()
	g.Pass()
	wg.Wait()
	other := atom.NewEvent()
	other.Happen()
	if err := g.Await(context.Background(), other, func() bool { return false }); err != nil {
		t.Error(err)
	}
}

// What Synchronize and Close wait for is listed in the cell; a value that was
// reclaimed must leave the list, or a program that updates for days leaks.
func TestACellForgetsWhatWasReclaimed(t *testing.T) {
	table := NewTable(1, 0)
	var c Cell
	c.Init(table)
	var held *Slot
	var place *Place
	var gen uint64
	for i := range 1000 {
		s := table.Claim()
		if c.Publish(s, s.Word().Gen(), nil) != Published {
			t.Fatal("not published")
		}
		if i == 10 {
			_, held, place, gen = c.Enter()
		}
	}
	if n := len(c.retired); n > 3 {
		t.Errorf("%d slots are listed, though one is held and one was just replaced", n)
	}
	if n := c.Pending().Left(); n != 1 {
		t.Errorf("%d are pending, want the one that is held", n)
	}
	held.Leave(place, gen)
	if n := c.Pending().Left(); n != 0 {
		t.Errorf("%d are pending, want none", n)
	}
}

// A line has eight places. What finds them taken by other slots is counted with its
// own slot, and each hold ends where it began.
func TestMoreSlotsAreHeldThanALineHasPlaces(t *testing.T) {
	const slots = 20
	table := NewTable(1, 0)
	type hold struct {
		slot  *Slot
		place *Place
		gen   uint64
	}
	var cells [slots]Cell
	var holds []hold
	places := make(map[*Place]int)
	for range 2 {
		for i := range cells {
			c := &cells[i]
			if c.self == nil {
				c.Init(table)
				s := table.Claim()
				if c.Publish(s, s.Word().Gen(), nil) != Published {
					t.Fatal("not published")
				}
			}
			_, s, n, gen := c.Enter()
			holds = append(holds, hold{s, n, gen})
			places[n]++
		}
	}
	if n := table.Holds(); n != 2*slots {
		t.Errorf("%d holds, want %d", n, 2*slots)
	}
	if len(places) != slots {
		t.Errorf("%d slots are counted in %d places", slots, len(places))
	}
	own := 0
	for i := range cells {
		s := cells[i].cur.Load()
		if places[&s.over] == 2 {
			own++
		}
		if s.unheld(s.Word()) {
			t.Errorf("slot %d has two holds, and is not found held", i)
		}
	}
	if want := slots - len(table.lines[0].places); own != want {
		t.Errorf("%d slots count in their own place, want %d", own, want)
	}
	for i := range cells {
		cells[i].Clear()
	}
	for i, h := range holds {
		if h.slot.Word().State() != Retired {
			t.Fatalf("hold %d: the slot is not Retired before its last Leave", i)
		}
		h.slot.Leave(h.place, h.gen)
	}
	for s := range table.All {
		if state := s.Word().State(); state == Retired {
			t.Error("a slot is Retired and has no hold")
		}
	}
	if n := table.Holds(); n != 0 {
		t.Errorf("%d holds at the end", n)
	}
}
