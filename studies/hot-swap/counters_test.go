package hotswap

import (
	"fmt"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// A map with room for 100,000 entries has a directory of 128 tables with 1024
// slots each. So a new Table takes 259 allocations: itself (16 bytes), the map
// (48), the directory (1152), and for each of the 128 its head (32) and its
// slots (40,960). Published were 26 allocations for a step of which a tenth is
// a write.
//
// A map of 100 entries has one table: 16, 48, 8, 32 and 4864 bytes.
//
// That the least of several calls counts also leaves out the rare table of a
// map that gets more keys than it has room for.
const (
	largeAllocs, largeBytes = 3 + 128*2, 16 + 48 + 1152 + 128*(32+40960)
	smallAllocs, smallBytes = 5, 16 + 48 + 8 + 32 + 4864
)

func TestAReplacementAllocatesATableOrNothing(t *testing.T) {
	for _, arm := range arms {
		allocates := arm.name == "atomic" || arm.name == "rwmutex"
		check := func(name string, w *work, wantAllocs, wantBytes uint64) {
			if !allocates {
				wantAllocs, wantBytes = 0, 0
			}
			allocs, bytes := exact.Counters(t, func() {
				for i := range w.goroutines {
					w.share(i)
				}
			})
			if allocs != wantAllocs || bytes != wantBytes {
				t.Errorf("%s, %s: %d allocations of %d bytes, want %d of %d", name, arm.name, allocs, bytes, wantAllocs, wantBytes)
			}
		}
		for _, writes := range writeShares {
			check(fmt.Sprintf("%d %% writes", writes), mixed(arm.large(), writes), writers*largeAllocs, writers*largeBytes)
		}
		check("no collection between writes", reuse(arm.small(), 0), smallAllocs, smallBytes)
	}
}

func TestAReadAllocatesNothing(t *testing.T) {
	for _, arm := range arms {
		w := readOnly(arm.large(), 1)
		if allocs, bytes := exact.Counters(t, func() { w.share(0) }); allocs != 0 || bytes != 0 {
			t.Errorf("%s: %d allocations of %d bytes, want none", arm.name, allocs, bytes)
		}
	}
}
