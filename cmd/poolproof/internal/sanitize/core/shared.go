package core

// Ranges of an array of few bytes, or of part of an object, share a granule with others: the granule
// has the start bit if a range starts in it, and is in a pool if bytes of one that is in a pool lie in it.
// The records say which bytes these are.

// Starts returns the record of a range that starts in the granule at start.
func (t *Table) Starts(start uintptr) *Record {
	for at := start; at < start+granule; at++ {
		if r := t.Find(at); r != nil {
			return r
		}
	}
	return nil
}

// In returns the record of a range in a state that starts in the granule at start and has one of the n bytes at addr.
func (t *Table) In(start, addr, n uintptr, state State) *Record {
	for at := start; at < start+granule; at++ {
		if r := t.Find(at); r != nil && r.State == state && addr < r.Addr+r.Size && r.Addr < addr+n {
			return r
		}
	}
	return nil
}

// Touching returns the record of a range in a state that the n bytes at addr touch, with its shard locked; nil if
// there is none. The range has the marks of one in a pool. A granule may be in a pool for the sake of a neighbour of the bytes, and the last range that starts
// before them may be a short one, which ends before the one that has them.
func (t *Table) Touching(s *Shadow, addr, n uintptr, state State) *Record {
	for at, end := s.FirstPooled(addr, n), addr+n; at != 0; {
		start := s.Start(at)
		for i := 0; i < 2 && start != 0; i++ {
			hostLock(start)
			if r := t.In(start, addr, n, state); r != nil {
				return r
			}
			hostUnlock(start)
			start = s.Start(start - granule)
		}
		if at += granule; at >= end {
			break
		}
		at = s.FirstPooled(at, end-at)
	}
	return nil
}

// Leave gives a range that was in a pool another state.
func (t *Table) Leave(s *Shadow, r *Record, state State) {
	r.State = state
	s.Unmark(r.Addr, r.Size)
	t.mend(s, r.Addr, r.Addr+r.Size)
}

// Forget deletes the record of a range.
func (t *Table) Forget(s *Shadow, r *Record) {
	from, to := r.Addr, r.Addr+r.Size
	t.Delete(r)
	s.Forget(from, to-from)
	t.mend(s, from, to)
}

// mend marks the first and the last granule of a range again for the others that have bytes there.
func (t *Table) mend(s *Shadow, from, to uintptr) {
	if from%granule != 0 || to-from < granule {
		t.remark(s, from&^(granule-1))
	}
	if to%granule != 0 && to&^(granule-1) > from {
		t.remark(s, to&^(granule-1))
	}
}

func (t *Table) remark(s *Shadow, at uintptr) {
	for addr := at; addr < at+granule; addr++ {
		if r := t.Find(addr); r != nil {
			s.Track(addr)
			if r.State == In {
				s.pool(at)
			}
		}
	}
	before := s.Start(at - granule)
	if before == 0 || before>>pageBits != at>>pageBits { // of another page another lock is needed
		return
	}
	if t.In(before, at, granule, In) != nil {
		s.pool(at)
	}
}
