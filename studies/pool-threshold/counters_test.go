package poolthreshold

import (
	"runtime"
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

func TestAHotUseAllocatesItsBlockOrNothing(t *testing.T) {
	for _, s := range Sizes {
		for _, arm := range arms {
			var wantAllocs, wantBytes uint64
			if arm.name == "make" {
				wantAllocs, wantBytes = 8, 8*uint64(s)
			}
			a := arm.create(s)
			allocs, bytes := exact.Counters(t, func() { a.Uses(8) })
			if allocs != wantAllocs || bytes != wantBytes {
				t.Errorf("%s, 8 uses of %v: %d allocations of %d bytes, want %d of %d", arm.name, s, allocs, bytes, wantAllocs, wantBytes)
			}
		}
	}
}

// Two collections take from a sync.Pool not only the block but also what it
// keeps for each processor, and its place in the list of all pools. So a rare
// use of a pool allocates four times: the block, the slice's header of 24
// bytes, 128 bytes for the one processor, and here, where it is the only pool
// in use, a list of 8 bytes.
func TestARareUseOfAPoolAllocatesMoreThanTheBlock(t *testing.T) {
	for _, s := range Sizes {
		for _, arm := range arms {
			wantAllocs, wantBytes := uint64(4), uint64(s)+24+128+8
			if arm.name == "make" {
				wantAllocs, wantBytes = 1, uint64(s)
			}
			a := arm.create(s)
			allocs, bytes := exact.CountersAfter(t, func() { runtime.GC(); runtime.GC() }, func() { a.Uses(1) })
			if allocs != wantAllocs || bytes != wantBytes {
				t.Errorf("%s, a use of %v after two collections: %d allocations of %d bytes, want %d of %d", arm.name, s, allocs, bytes, wantAllocs, wantBytes)
			}
		}
	}
}

func TestAPoolKeepsItsBlockOverOneCollection(t *testing.T) {
	for _, arm := range arms[1:] {
		a := arm.create(1 << 10)
		allocs, _ := exact.CountersAfter(t, runtime.GC, func() { a.Uses(1) })
		// What it keeps for the processor, and the list of all pools, are new.
		if allocs != 2 {
			t.Errorf("%s, a use after one collection: %d allocations, want 2", arm.name, allocs)
		}
	}
}

// The stack costs nothing that a pool could save: this is why the study's
// benchmark of it is invalid. What is too large for the stack is allocated,
// whether it leaves or not.
func TestABlockThatStaysInItsFunctionIsOnTheStackUpToALimit(t *testing.T) {
	for _, s := range Sizes {
		var wantAllocs, wantBytes uint64
		if s >= StackLimit {
			wantAllocs, wantBytes = 8, 8*uint64(s)
		}
		a := NewMake(s, true)
		if allocs, bytes := exact.Counters(t, func() { a.Uses(8) }); allocs != wantAllocs || bytes != wantBytes {
			t.Errorf("8 uses of %v: %d allocations of %d bytes, want %d of %d", s, allocs, bytes, wantAllocs, wantBytes)
		}
	}
}
