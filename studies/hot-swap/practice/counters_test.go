package practice

import (
	"testing"

	hotswap "github.com/poolproof/poolproof/studies/hot-swap"
	"github.com/poolproof/poolproof/studies/internal/exact"
)

// A map of 100 entries is one table: 4864 bytes of slots, its head of 32, the
// directory of 8, the map of 48; and the Table of 16. A clone has the same.
const tableAllocs, tableBytes = 5, 4864 + 32 + 8 + 48 + 16

func TestWhatAChangeAllocates(t *testing.T) {
	want := map[string][2]uint64{"atomic": {tableAllocs, tableBytes}}
	for _, way := range Ways {
		c := newChanges(way, few)
		allocs, bytes := exact.Counters(t, c.next)
		if got := [2]uint64{allocs, bytes}; got != want[way.Name] {
			t.Errorf("%s: %d allocations of %d bytes, want %d of %d", way.Name, allocs, bytes, want[way.Name][0], want[way.Name][1])
		}
	}
}

func TestWhatAReloadAllocatesAfterTwoCollections(t *testing.T) {
	d := hotswap.NewData(few)
	for _, arm := range Arms {
		want := uint64(tableAllocs)
		switch arm.Name {
		case "hotswap", "reader", "inplace":
			want = 0
		}
		r := newReload(arm.New(d.Fill(0)), d, 2)
		r.replace()
		allocs, _ := exact.CountersAfter(t, r.collect, r.replace)
		// A sync.Pool that a collection has emptied also makes its rows anew, and the
		// collector itself may allocate.
		if arm.Name == "counted" && allocs < want || arm.Name != "counted" && allocs != want {
			t.Errorf("%s: %d allocations, want %d", arm.Name, allocs, want)
		}
	}
}

func TestALookupAllocatesNothing(t *testing.T) {
	d := hotswap.NewData(few)
	keys := hot(d, 10)
	for _, arm := range Arms {
		lookup, release := handle(arm.New(d.Fill(0)))
		if allocs, bytes := exact.Counters(t, func() { lookup(keys) }); allocs != 0 || bytes != 0 {
			t.Errorf("%s: %d allocations of %d bytes, want none", arm.Name, allocs, bytes)
		}
		release()
	}
}
