package slots

import (
	"unsafe"

	"github.com/poolproof/poolproof/hotswap/internal/atom"
)

// Place counts holds of one slot at a time: in its high half is the mark of the
// slot, in its low half the count, and it is 0 if there is none. A hold is counted
// in a place of its shard's line, so where that is depends on nothing but the hint,
// and the first hold of a line is one compare-and-swap from 0.
type Place = atom.Uint64

const markShift = 32

// line is the places of one shard. They fill one cache line, and the line beside it
// is empty: processors fetch the two together. A line holds no pointer: arrays of
// such types are aligned to their size, which a header for the collector would
// prevent.
type line struct {
	places [8]Place // atom.Places of them are used
	_      [64]byte
}

// hintShift leaves the high 9 bits of a hint: MaxShards values.
const hintShift = 55

// near returns the first place of the shard that the hint of the moment says: its
// high bits, see atom.Hint.
func (c *Cell) near() *Place {
	return (*Place)(unsafe.Add(unsafe.Pointer(c.lines), (atom.Hint()>>hintShift&c.mask)*uint64(unsafe.Sizeof(line{}))))
}

// counted reports whether place, which was read from a Place, has a hold of s.
func (s *Slot) counted(place uint64) bool { return place>>markShift == s.one>>markShift }

// join counts a hold of s and returns where: in the line that begins with first,
// in a place that has holds of s already or none; or, if all have other slots', in
// s's own.
//
//go:noinline
func (s *Slot) join(first *Place) *Place {
	line := (*line)(unsafe.Pointer(first))
	for i := range atom.Places {
		if deep := &s.table.deep; deep.Load() == int64(i) {
			deep.CompareAndSwap(int64(i), int64(i)+1) // before a hold is there
		}
		if n := &line.places[i]; s.raise(n) {
			return n
		}
	}
	s.raise(&s.over)
	return &s.over
}

// raise counts a hold of s in n. It reports false if n has those of another slot.
func (s *Slot) raise(n *Place) bool {
	for {
		k := n.Load()
		next := k + 1
		switch {
		case k == 0:
			next = s.one
		case !s.counted(k):
			return false
		}
		if n.CompareAndSwap(k, next) {
			return true
		}
	}
}

// lower takes a hold or a transient from n, and reports whether it was the last
// one of s there. It panics if there is none.
//
//go:noinline
func (s *Slot) lower(n *Place, gen uint64) (last bool) {
	for {
		k := n.Load()
		if !s.counted(k) {
			s.overdrawn(gen)
		}
		next := k - 1
		if k == s.one {
			next = 0
		}
		if n.CompareAndSwap(k, next) {
			return next == 0
		}
	}
}

// undo takes a transient from n.
func (s *Slot) undo(n *Place) {
	if s.lower(n, s.Word().Gen()) {
		s.look()
	}
}

// Again adds a hold beside one that the caller has in n, of generation gen.
func (s *Slot) Again(n *Place, gen uint64) {
	if s.Word().Gen() != gen {
		s.mismatch("Clone", gen)
	}
	for {
		k := n.Load()
		if !s.counted(k) {
			s.overdrawn(gen)
		}
		if n.CompareAndSwap(k, k+1) {
			return
		}
	}
}

// Holds returns how many holds the slots for values have. While readers come and go
// it may be off by transients.
func (t *Table) Holds() (n int64) {
	fixed := t.Never().one >> markShift // and below
	for i := range t.lines {
		for j := range atom.Places {
			if k := t.lines[i].places[j].Load(); k>>markShift > fixed {
				n += int64(k & (1<<markShift - 1))
			}
		}
	}
	for s := range t.All {
		n += int64(s.over.Load() & (1<<markShift - 1))
	}
	return n
}
