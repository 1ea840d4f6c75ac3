package bench

import (
	"testing"
	_ "unsafe" // for linkname
)

// writeBarrier is the runtime's: enabled while a collection marks.
//
//go:linkname writeBarrier runtime.writeBarrier
var writeBarrier struct {
	enabled bool
	pad     [3]byte
	alignme uint64
}

type node struct{ next, other *node }

var (
	live  *node
	nodes *node
)

// BenchmarkGarbage makes garbage beside a live heap that takes a while to mark,
// and tells whether a collection was marking as its burst began.
func BenchmarkGarbage(b *testing.B) {
	if live == nil {
		for range 300_000 {
			live = &node{next: live}
		}
	}
	marking := 0.0
	if writeBarrier.enabled {
		marking = 1
	}
	b.ResetTimer()
	for range b.N {
		nodes = &node{other: nodes}
		if nodes.other != nil && nodes.other.other != nil {
			nodes = nil
		}
		sink = make([]byte, 16<<10)
	}
	b.ReportMetric(marking, "marking")
}
