package flatmapslices

import (
	"testing"

	"github.com/poolproof/poolproof/studies/internal/exact"
)

// The published counters are those of a stage with 10,000 inputs, which also
// collects its 50,000 outputs in a slice: 20,038 allocations with slices of
// Results, 70,038 with the library's iterators, 2 and 7 an input. So are ours.
// What a run allocates once differs: 38 times there, with the slice of outputs
// as it grows; 9 times here, of which the two channels of 64 Results take 2 x
// 2416 bytes, and two outputs and three closures the rest.
//
// An input of the arm make costs 48 bytes for the user's slice, 5 ints in a
// size class of 6, and 160 for the slice of Results.
func TestPipelineCountersAreExact(t *testing.T) {
	const onceAllocs, onceBytes = 9, 5016
	want := map[string]struct {
		allocs, bytes         uint64 // an input
		moreAllocs, moreBytes uint64 // a run, beyond the nine
	}{
		"make":     {allocs: 2, bytes: 48 + 160},
		"pool":     {allocs: 1, bytes: 48, moreBytes: 8}, // its closure also holds the pool
		"direct":   {allocs: 1, bytes: 48},
		"stack":    {allocs: 1, bytes: 48},
		"scratch":  {moreAllocs: 3, moreBytes: 112}, // the slice, its header and the closure that lends it to f
		"iter":     {allocs: 3, bytes: 56},          // the user's iterator, the loop's body, the loop's state
		"iterlib":  {allocs: 7, bytes: 224},         // these, and again with a layer between
		"syncpool": {allocs: 1, bytes: 48, moreBytes: 8},
		// The user's slice, the iterator, the loop's body, its state, and whether it
		// was left. Published are as many, of 16 bytes more.
		"iterslice": {allocs: 5, bytes: 184},
	}
	for _, arm := range pipelineArms {
		t.Run(arm.name, func(t *testing.T) {
			ctx := t.Context()
			w, channels := want[arm.name]
			if !channels {
				t.Skip("a stream: see TestStreamCountersAreExact")
			}
			allocs, bytes := exact.Counters(t, func() { arm.run(ctx) })
			if wantAllocs := inputs*w.allocs + onceAllocs + w.moreAllocs; allocs != wantAllocs {
				t.Errorf("%d allocations, want %d", allocs, wantAllocs)
			}
			if wantBytes := inputs*w.bytes + onceBytes + w.moreBytes; bytes != wantBytes {
				t.Errorf("%d bytes, want %d", bytes, wantBytes)
			}
		})
	}
}

// The published isolated counters, for one slice: 80 bytes for ten ints, 320
// for ten Results, 1 allocation; a pool and a slice that is used again 0. Ours
// are the same, for 1000 slices.
func TestIsolatedCountersAreExact(t *testing.T) {
	makes := map[string]uint64{"int": 80, "result": 320}
	for _, item := range isolatedItems {
		for _, arm := range item.arms {
			t.Run(item.name+"/"+arm.name, func(t *testing.T) {
				var wantAllocs, wantBytes uint64
				if arm.name == "make" {
					wantAllocs, wantBytes = inputs, inputs*makes[item.name]
				}
				allocs, bytes := exact.Counters(t, func() { arm.run(inputs, isolatedFan) })
				if allocs != wantAllocs || bytes != wantBytes {
					t.Errorf("%d allocations of %d bytes, want %d of %d", allocs, bytes, wantAllocs, wantBytes)
				}
			})
		}
	}
}
