package slots

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/poolproof/poolproof/hotswap/internal/atom"
)

// Word is a generation and a state.
type Word uint64

// The states of a slot, in the low bits of its Word.
const (
	Empty Word = iota
	Spare
	Owned
	Live
	Retired

	stateBits = 3
)

// Traced marks a generation that no slot ever is in: a hold that the typed layer
// ends (Table.Traced).
const Traced = 1 << 63

// State returns the state alone.
func (w Word) State() Word { return w & (1<<stateBits - 1) }

// Gen returns the generation alone.
func (w Word) Gen() uint64 { return uint64(w >> stateBits) }

// with returns the generation of w in another state.
func (w Word) with(state Word) Word { return w&^(1<<stateBits-1) | state }

// claimed returns the next generation, Owned.
func (w Word) claimed() Word { return (w + 1<<stateBits).with(Owned) }

// Slot is room for a value. Plain fields belong to the owner while the slot
// is Owned, and are constant while it is Live or Retired.
type Slot struct {
	word  atom.Uint64
	one   uint64 // what a Place has with one hold of this slot: its mark and a count
	table *Table
	fixed bool // stands for "no value": always Live, never retired

	// Value is the value, nil in an Empty slot.
	Value unsafe.Pointer
	// Number tells the publications of a cell apart. It is written by Publish.
	Number uint64
	// Todo tells the typed layer what to do with the value before its next use.
	Todo uint8

	condemned atom.Uint64 // the generation whose value must not be used again
	over      Place       // of holds that found none in their shard
	counters  *counter    // in shard 0, of a table of NewAnyShard; those of the others follow, a line apart

	// What follows decides nothing: it is not the explorer's.

	since atomic.Int64 // when it was retired, by Table.Now
	// Made, Reused and Dropped count values. Only the owner writes them.
	Made, Reused, Dropped atomic.Uint64

	_ [16]byte // to 128 bytes: its neighbour is on another line
}

// Word returns the state and generation of the moment.
func (s *Slot) Word() Word { return Word(s.word.Load()) }

// Fixed reports whether s stands for "no value".
func (s *Slot) Fixed() bool { return s.fixed }

// Table returns the table that s belongs to.
func (s *Slot) Table() *Table { return s.table }

// Since returns when s was last retired, by Table.Now.
func (s *Slot) Since() int64 { return s.since.Load() }

// Leave ends a hold of generation gen that is counted in n. It panics if that
// generation has ended or no hold is counted there: then the hold was ended before.
//
// A nil s is no hold, and nothing happens: callers who do not ask that themselves
// are short enough to be inlined.
func (s *Slot) Leave(n *Place, gen uint64) {
	if s == nil {
		return
	}
	if s.Word().Gen() != gen {
		s.leaveOther(n, gen)
		return
	}
	if (n.Load() != s.one || !n.CompareAndSwap(s.one, 0)) && !s.lower(n, gen) {
		return
	}
	if w := s.Word(); w.State() == Retired { // look
		s.reclaim(w)
	}
}

// leaveOther ends a hold whose generation is not that of s: the typed layer marks
// such generations with Traced, others have ended.
//
//go:noinline
func (s *Slot) leaveOther(n *Place, gen uint64) {
	if gen&Traced == 0 {
		s.mismatch("Release", gen)
	}
	s.table.Traced(s, n)
}

// look reclaims s if it is retired and no hold is left. It comes after the
// operation that may have made it so.
func (s *Slot) look() {
	if w := s.Word(); w.State() == Retired {
		s.reclaim(w)
	}
}

// unheld reports whether nothing is counted for s, which is of generation w: each
// place has been read without a hold of s.
func (s *Slot) unheld(w Word) bool {
	if s.table.any {
		return s.unheldAny(w)
	}
	deep := s.table.deep.Load()
	for i := range s.table.lines {
		for j := range deep {
			if s.counted(s.table.lines[i].places[j].Load()) {
				return false
			}
		}
	}
	return s.over.Load() == 0
}

// reclaim makes s Spare if generation w has no hold, which was read as Retired
// before, and no other call was faster.
func (s *Slot) reclaim(w Word) {
	if !s.unheld(w) {
		return
	}
	if !s.word.CompareAndSwap(uint64(w), uint64(w.claimed())) {
		return
	}
	if s.condemned.Load() == w.Gen() {
		s.Value = nil
		s.Dropped.Add(1)
		s.Give(Empty)
		return
	}
	if s.table.Reclaimed == nil {
		s.Give(Spare)
		return
	}
	defer func() { s.Give(s.Idle()) }() // also when the call panics
	s.table.Reclaimed(s)
}

// Give ends the ownership of s, which becomes Spare or Empty, and wakes who
// waits for that.
func (s *Slot) Give(state Word) {
	s.word.Store(uint64(s.Word().with(state)))
	s.table.Gate.Pass()
}

// Idle returns the state that s is in when it has no owner and is not
// published: Spare if it has a value, or else Empty.
func (s *Slot) Idle() Word {
	if s.Value == nil {
		return Empty
	}
	return Spare
}

// claim makes the caller the owner of s if it is in that state.
func (s *Slot) claim(state Word) bool {
	w := s.Word()
	return w.State() == state && s.word.CompareAndSwap(uint64(w), uint64(w.claimed()))
}

// ClaimAt makes the caller the owner of s if it is Spare in generation gen.
func (s *Slot) ClaimAt(gen uint64) bool {
	w := Word(gen<<stateBits) | Spare
	return s.word.CompareAndSwap(uint64(w), uint64(w.claimed()))
}

// Recall takes s, Owned in generation gen by the caller or a copy of it, into a
// generation of its own. It reports whether the caller was the one.
func (s *Slot) Recall(gen uint64) bool {
	w := Word(gen<<stateBits) | Owned
	return s.word.CompareAndSwap(uint64(w), uint64(w.claimed()))
}

// mismatch panics: the generation of a hold has ended.
//
//go:noinline
func (s *Slot) mismatch(op string, gen uint64) {
	panic(fmt.Sprintf("hotswap: %s of a value that was released before: it was acquired in generation %d of its slot, which is in generation %d now",
		op, gen, s.Word().Gen()))
}

// overdrawn panics: there is no hold to end. The value is never used again.
//
//go:noinline
func (s *Slot) overdrawn(gen uint64) {
	for {
		last := s.condemned.Load()
		if last >= gen || s.condemned.CompareAndSwap(last, gen) {
			break
		}
	}
	panic("hotswap: a value was released more often than acquired: by this call or, if a copied Ref was released, by another before it")
}
