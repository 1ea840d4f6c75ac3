package slots

import (
	"unsafe"

	"github.com/poolproof/poolproof/hotswap/internal/atom"
)

// A hold that is released in any shard (package poolswap, whose Release gets
// nothing but the value) needs another protocol. A shard may then be below 0 and
// says nothing alone; the sum does.
//
//   - reclaim sums the shards, one after the other. A valid hold had its +1
//     before Retired, hence before the scan, in a shard that the scan reads in
//     full. A -1 that the scan sees is of a hold that has ended. A transient's
//     +1 comes before its -1 in the same shard: it never lowers a sum. So the
//     sum is at least the number of holds that have not ended when the scan does,
//     and 0 means none.
//   - Every release looks, at whatever count: the last one of all, in the order
//     of the atomic operations, sees a sum of 0.
//   - There is no Again: its +1 could be in a shard that the scan has passed, and
//     the -1 of the original in one that it has not.
//   - There is no telling a second release from a first but by the sum: one below
//     0 says that there was one, sometime.

// counter counts the holds of one slot in one shard.
type counter = atom.Int64

// counterLine is one shard's counters of the slots of a block; see line.
type counterLine [perBlock]counter

// NewAnyShard is NewTable for slots whose holds begin by EnterAny and end by
// LeaveAny.
func NewAnyShard(shards, limit int) *Table {
	t := &Table{shards: uint64(shards), limit: limit, any: true}
	t.begin()
	return t
}

// fillCounters makes the counters of the slots of b.
func (t *Table) fillCounters(b *block) {
	lines := make([]counterLine, t.shards)
	for i := range b.slots {
		b.slots[i].counters = &lines[0][i]
	}
}

// counter returns the counter of a shard.
func (s *Slot) counter(shard uint64) *counter {
	return (*counter)(unsafe.Add(unsafe.Pointer(s.counters), shard*uint64(unsafe.Sizeof(counterLine{}))))
}

// anyNear returns the counter of the shard that the hint of the moment says.
func (s *Slot) anyNear() *counter {
	return s.counter(atom.Hint() >> hintShift & (s.table.shards - 1))
}

// EnterAny makes the caller a reader of the current slot, which it returns, until
// it calls LeaveAny.
func (c *Cell) EnterAny() *Slot {
	if c.self != c {
		c.foul()
	}
	for {
		s := c.cur.Load()
		n := s.anyNear()
		n.Add(1)
		if c.cur.Load() == s {
			return s
		}
		n.Add(-1)
		s.look()
	}
}

// LeaveAny ends a hold, wherever it is counted.
func (s *Slot) LeaveAny() {
	s.anyNear().Add(-1)
	s.look()
}

// SumAny returns the sum of the counts. While readers come and go it may be off
// by transients.
func (s *Slot) SumAny() (n int64) {
	for shard := range s.table.shards {
		n += s.counter(shard).Load()
	}
	return n
}

// unheldAny reports whether the sum over the shards is 0, or below, which takes
// a release too many: then the value of generation w is condemned.
func (s *Slot) unheldAny(w Word) bool {
	sum := s.SumAny()
	if sum < 0 {
		s.condemned.Store(w.Gen())
	}
	return sum <= 0
}
