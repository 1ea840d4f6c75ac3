package slots

import (
	"runtime"
	"unsafe"

	"github.com/poolproof/poolproof/hotswap/internal/atom"
)

// Table is the slots of one pool. It is made by NewTable.
type Table struct {
	// Owner and Tracer are for the typed layer.
	Owner, Tracer unsafe.Pointer
	// Trace is called by Enter if the cell is traced, and returns what the holder
	// has instead of the place and the generation: one with the mark Traced.
	Trace func(s *Slot, n *Place, gen uint64) (*Place, uint64)
	// Traced is called by Leave for a hold whose generation has that mark.
	Traced func(*Slot, *Place)
	// Reclaimed is called by whoever reclaims a slot, while it is Owned. After
	// that it is Spare, or Empty if it has no value any more. Nil: nothing to do.
	Reclaimed func(*Slot)
	// Now is the clock of Slot.Since. Nil: not asked.
	Now func() int64

	Gate Gate

	shards uint64
	limit  int        // of slots for values; 0: none
	lines  []line     // one for each shard
	deep   atom.Int64 // how many places of a line have ever been tried: a scan reads no more
	any    bool       // holds are counted as in anyshard.go, and lines is nil

	first  block
	issued atom.Int64 // slots, with the two that stand for "no value"
	mu     atom.Mutex // held while a slot is issued
}

// perBlock is how many slots are made at once.
const perBlock = 16

// block is 16 slots.
type block struct {
	slots [perBlock]Slot
	next  atom.Pointer[block]
}

// reserved is the slots at the begin of the first block that stand for "no
// value". They are always Live, so that readers need no test for an empty cell.
const reserved = 2

// MaxShards is the most that the hint can tell apart.
const MaxShards = 512

// Shards returns the number of shards that n asks for: rounded up to a power of 2,
// at most MaxShards; 0 asks for 8 for each processor that may be used now.
func Shards(n int) int {
	if n == 0 {
		n = 8 * runtime.GOMAXPROCS(0)
	}
	s := 1
	for s < n && s < MaxShards {
		s *= 2
	}
	return s
}

// NewTable returns a table with that many shards, a power of 2 up to MaxShards,
// and at most limit values, 0 for no limit.
func NewTable(shards, limit int) *Table {
	t := &Table{shards: uint64(shards), limit: limit, lines: make([]line, shards)}
	t.deep.Store(1)
	t.begin()
	return t
}

// begin makes the first slots of t.
func (t *Table) begin() {
	t.fill(&t.first, 0)
	t.Nothing().word.Store(uint64(Live))
	t.Nothing().fixed = true
	t.Never().word.Store(uint64(Live))
	t.Never().fixed = true
	t.issued.Store(reserved)
}

// fill makes the slots of b, of which the first has that position.
func (t *Table) fill(b *block, first int) {
	for i := range b.slots {
		s := &b.slots[i]
		s.table, s.one = t, uint64(first+i+1)<<markShift|1
	}
	if t.any {
		t.fillCounters(b)
	}
}

// Nothing returns the slot that is current in an empty cell.
func (t *Table) Nothing() *Slot { return &t.first.slots[0] }

// Never returns the slot that is current in a closed cell.
func (t *Table) Never() *Slot { return &t.first.slots[1] }

// Limit returns how many values there may be, 0 for any number.
func (t *Table) Limit() int { return t.limit }

// Shards returns the number of shards.
func (t *Table) Shards() int { return int(t.shards) }

// Len returns how many slots for values have been issued.
func (t *Table) Len() int { return int(t.issued.Load()) - reserved }

// All yields the slots for values that have been issued. It is a range function
// itself, for s := range t.All, so that a loop allocates nothing.
func (t *Table) All(yield func(*Slot) bool) {
	n, from := int(t.issued.Load()), reserved
	for b := &t.first; ; b = b.next.Load() {
		for i := from; i < min(n, perBlock); i++ {
			if !yield(&b.slots[i]) {
				return
			}
		}
		if n -= perBlock; n <= 0 {
			return
		}
		from = 0
	}
}

// Claim returns a slot that the caller owns from now on: one with a spare value
// or, if there is none, an empty one; nil if the limit is reached.
func (t *Table) Claim() *Slot {
	for s := range t.All {
		if s.claim(Spare) {
			return s
		}
	}
	return t.ClaimEmpty()
}

// ClaimEmpty returns a slot without a value that the caller owns from now on,
// nil if the limit is reached.
func (t *Table) ClaimEmpty() *Slot {
	for s := range t.All {
		if s.claim(Empty) {
			return s
		}
	}
	return t.issue()
}

// issue returns a slot that was never used, Owned.
func (t *Table) issue() *Slot {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := int(t.issued.Load())
	if t.limit > 0 && n-reserved >= t.limit {
		return nil
	}
	b, last := &t.first, &t.first
	for i := n; ; i -= perBlock {
		if b == nil {
			b = new(block)
			t.fill(b, n-i)
			last.next.Store(b)
		}
		if i < perBlock {
			s := &b.slots[i]
			s.word.Store(uint64(Word(0).claimed()))
			t.issued.Store(int64(n + 1))
			return s
		}
		last, b = b, b.next.Load()
	}
}

// Tidy claims spare slots beyond the first keep of them, and calls drop with
// each, which must Give it.
func (t *Table) Tidy(keep int, drop func(*Slot)) {
	for s := range t.All {
		if s.Word().State() != Spare {
			continue
		}
		if keep > 0 {
			keep--
			continue
		}
		if s.claim(Spare) {
			drop(s)
		}
	}
}
