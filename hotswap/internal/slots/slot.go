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

// Counter counts the holds of one slot in one shard.
type Counter = atom.Int64

// perLine is how many slots share a line of counters: with 8 bytes each, 128
// bytes, the two cache lines that processors fetch together.
const perLine = 16

// line is one shard's counters of the slots of a block. It holds no pointer:
// arrays of such types are aligned to their size, which a header for the
// collector would prevent.
type line [perLine]Counter

// Slot is a place for a value. Plain fields belong to the owner while the slot
// is Owned, and are constant while it is Live or Retired.
type Slot struct {
	word   atom.Uint64
	counts *Counter // in shard 0; those of the others follow, a line apart
	shards uint64
	table  *Table
	fixed  bool // stands for "no value": always Live, never retired

	// Value is the value, nil in an Empty slot.
	Value unsafe.Pointer
	// Number tells the publications of a cell apart. It is written by Publish.
	Number uint64
	// Todo is what the typed layer must do with the value before its next use.
	Todo uint8

	condemned atom.Uint64 // the generation whose value must not be used again

	// What follows decides nothing: it is not the explorer's.

	since atomic.Int64 // when it was retired, by Table.Now
	// Made, Reused and Dropped count values. Only the owner writes them.
	Made, Reused, Dropped atomic.Uint64

	_ [24]byte // to 128 bytes: its neighbour is on another line
}

// Word returns the state and generation of the moment.
func (s *Slot) Word() Word { return Word(s.word.Load()) }

// Fixed reports whether s stands for "no value".
func (s *Slot) Fixed() bool { return s.fixed }

// Table returns the table that s belongs to.
func (s *Slot) Table() *Table { return s.table }

// Since returns when s was last retired, by Table.Now.
func (s *Slot) Since() int64 { return s.since.Load() }

// counter returns the counter of a shard.
func (s *Slot) counter(shard uint64) *Counter {
	return (*Counter)(unsafe.Add(unsafe.Pointer(s.counts), shard*uint64(unsafe.Sizeof(line{}))))
}

// hintShift leaves the high 9 bits of a hint: MaxShards values.
const hintShift = 55

// near returns the counter of the shard that the hint of the moment says: its
// high bits, see atom.Hint.
func (s *Slot) near() *Counter {
	return s.counter(atom.Hint() >> hintShift & (s.shards - 1))
}

// Holds returns the sum of the counts. While readers come and go it may be off
// by transients.
func (s *Slot) Holds() (n int64) {
	for shard := range s.shards {
		n += s.counter(shard).Load()
	}
	return n
}

// Again adds a hold beside one that the caller has in n, of generation gen.
func (s *Slot) Again(n *Counter, gen uint64) {
	if s.Word().Gen() != gen {
		s.mismatch("Clone", gen)
	}
	for {
		k := n.Load()
		if k <= 0 {
			s.overdrawn(gen)
		}
		if n.CompareAndSwap(k, k+1) {
			return
		}
	}
}

// Leave ends a hold of generation gen that is counted in n. It panics if that
// generation has ended or no hold is counted: then the hold was ended before.
//
// A nil s is no hold, and nothing happens: callers who do not ask that themselves
// are short enough to be inlined.
//
// It is down, written out, because the compiler would not inline a call of that.
func (s *Slot) Leave(n *Counter, gen uint64) {
	if s == nil {
		return
	}
	if s.Word().Gen() != gen {
		s.leaveOther(n, gen)
		return
	}
	for {
		k := n.Load()
		if k <= 0 {
			s.overdrawn(gen)
		}
		if n.CompareAndSwap(k, k-1) {
			if k == 1 {
				if w := s.Word(); w.State() == Retired { // look
					s.reclaim(w)
				}
			}
			return
		}
	}
}

// leaveOther ends a hold whose generation is not that of s: the typed layer marks
// such generations with Traced, others have ended.
//
//go:noinline
func (s *Slot) leaveOther(n *Counter, gen uint64) {
	if gen&Traced == 0 {
		s.mismatch("Release", gen)
	}
	s.table.Traced(s, n)
}

// down takes a hold or a transient from n, and looks if none is left there.
func (s *Slot) down(n *Counter, gen uint64) {
	for {
		k := n.Load()
		if k <= 0 {
			s.overdrawn(gen)
		}
		if n.CompareAndSwap(k, k-1) {
			if k == 1 {
				s.look()
			}
			return
		}
	}
}

// undo takes a transient back.
func (s *Slot) undo(n *Counter) {
	if s.table.any {
		n.Add(-1)
		s.look()
		return
	}
	s.down(n, s.Word().Gen())
}

// look reclaims s if it is retired and no hold is left. It comes after the
// operation that may have made it so.
func (s *Slot) look() {
	if w := s.Word(); w.State() == Retired {
		s.reclaim(w)
	}
}

// unheld reports whether each shard has read 0.
func (s *Slot) unheld(w Word) bool {
	if s.table.any {
		return s.unheldAny(w)
	}
	for shard := range s.shards {
		if s.counter(shard).Load() != 0 {
			return false
		}
	}
	return true
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
