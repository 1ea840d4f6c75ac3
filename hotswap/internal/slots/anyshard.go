package slots

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

// NewAnyShard is NewTable for slots whose holds end by LeaveAny.
func NewAnyShard(shards, limit int) *Table {
	t := NewTable(shards, limit)
	t.any = true
	return t
}

// LeaveAny ends a hold, wherever it is counted.
func (s *Slot) LeaveAny() {
	s.near().Add(-1)
	s.look()
}

// unheldAny reports whether the sum over the shards is 0, or below, which takes
// a release too many: then the value of generation w is condemned.
func (s *Slot) unheldAny(w Word) bool {
	sum := s.Holds()
	if sum < 0 {
		s.condemned.Store(w.Gen())
	}
	return sum <= 0
}
