package slots

import (
	"slices"
	"sync/atomic"
	"unsafe"

	"github.com/poolproof/poolproof/hotswap/internal/atom"
)

// Cell points to the current slot of a container. It must be made by Init and
// not be copied.
type Cell struct {
	cur  atom.Pointer[Slot]
	self *Cell // &this, which neither a zero nor a copied Cell has

	// What each reader asks is on this line. Traced says that Enter asks
	// Table.Trace; lines and mask are where to count: the first of the table's
	// lines, and their number less 1.
	Traced bool
	lines  *line
	mask   uint64

	table *Table

	_ [80]byte // writers who wait for each other do not write the line of readers

	// mu makes a publication one step for other writers: Owned -> Live, the
	// swap, Live -> Retired and the number. Without it no writer could tell a slot
	// that was just taken out from one that is about to be put in. Readers do
	// not know it.
	mu      atom.Mutex
	number  uint64
	retired []hold // of this cell, those that are reclaimed among them
	closing atom.Event
	closed  bool

	// Full, if it is not nil, says whether there is a current value. It is for the
	// typed layer, and outlives the cell.
	Full *atomic.Bool
}

// hold names a generation of a slot.
type hold struct {
	slot *Slot
	word Word
}

// Init makes c an empty cell of t.
func (c *Cell) Init(t *Table) {
	c.self, c.table = c, t
	c.mask = t.shards - 1
	if !t.any {
		c.lines = &t.lines[0]
	}
	c.closing = atom.NewEvent()
	c.cur.Store(t.Nothing())
}

// Table returns the table of c's slots.
func (c *Cell) Table() *Table { return c.table }

// Closing happens when c is closed.
func (c *Cell) Closing() atom.Event { return c.closing }

// Current returns where c points to its slot, to be read only, and which the
// caller does not hold. It is a pointer because a method of Cell would not be
// inlined into the users of a generic type of another package.
func (c *Cell) Current() *atom.Pointer[Slot] { return &c.cur }

// Enter makes the caller a reader of the current slot until it calls Leave with
// the place and the generation, and returns its value. In a traced table they
// are those of a holder.
//
// It returns all words of a guard, so that the typed layer has nothing to do but
// to name their types, and is inlined into its callers.
func (c *Cell) Enter() (value unsafe.Pointer, s *Slot, n *Place, gen uint64) {
	if c.self != c {
		c.foul()
	}
	n = c.near()
	s = c.cur.Load()
	if n.Load() != 0 || !n.CompareAndSwap(0, s.one) { // a load is less than a swap in vain
		n = s.join(n)
	}
	if c.cur.Load() != s {
		s, n = c.again(s, n)
	}
	gen = s.Word().Gen()
	if c.Traced {
		n, gen = c.table.Trace(s, n, gen)
	}
	return s.Value, s, n, gen
}

// again is Enter after the transient of s in n, which was replaced meanwhile.
//
//go:noinline
func (c *Cell) again(s *Slot, n *Place) (*Slot, *Place) {
	for {
		s.undo(n)
		s = c.cur.Load()
		n = s.join(c.near())
		if c.cur.Load() == s {
			return s, n
		}
	}
}

// Check panics if c is zero or a copy.
func (c *Cell) Check() {
	if c.self != c {
		c.foul()
	}
}

// foul panics: c is zero or a copy, which would miss all updates of its
// original.
//
//go:noinline
func (c *Cell) foul() {
	if c.self == nil {
		panic("hotswap: use of a Container that was not made by New (of poolswap: NewContainer or NewEmptyContainer)")
	}
	panic("hotswap: use of a copied Container; use a pointer to it")
}

// Outcome is the result of an attempt to publish.
type Outcome int

const (
	Published Outcome = iota
	Changed           // another slot is current than the one that was asked for
	NotOwned          // the slot is not Owned in that generation: published or given back before
	Closed            // the cell is closed
)

// Publish makes s current, which must be Owned by the caller in generation gen,
// if only is nil or current now. Only Published takes the ownership.
func (c *Cell) Publish(s *Slot, gen uint64, only *Slot) Outcome {
	c.Check()
	owned := Word(gen<<stateBits) | Owned
	c.mu.Lock()
	switch {
	case c.closed:
		c.mu.Unlock()
		return Closed
	case only != nil && c.cur.Load() != only:
		c.mu.Unlock()
		return Changed
	case !s.word.CompareAndSwap(uint64(owned), uint64(owned.with(Live))):
		c.mu.Unlock()
		return NotOwned
	}
	c.number++
	s.Number = c.number // before the swap: no reader has it yet
	old, w := c.swap(s)
	c.mu.Unlock()
	old.scan(w)
	return Published
}

// Clear makes nothing current. It reports false if c is closed.
func (c *Cell) Clear() bool {
	c.Check()
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return false
	}
	c.number++
	old, w := c.swap(c.table.Nothing())
	c.mu.Unlock()
	old.scan(w)
	return true
}

// Close makes nothing current for ever.
func (c *Cell) Close() {
	c.Check()
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return
	}
	c.closed = true
	old, w := c.swap(c.table.Never())
	c.mu.Unlock()
	c.closing.Happen()
	old.scan(w)
}

// swap makes s current and the old slot Retired, and returns that and its word.
// The caller holds c.mu, so old is Live and no other call retires it: a store is
// enough.
func (c *Cell) swap(s *Slot) (old *Slot, retired Word) {
	if c.Full != nil {
		c.Full.Store(!s.fixed)
	}
	old = c.cur.Load()
	c.cur.Store(s)
	if old.fixed {
		return old, 0
	}
	if c.table.Now != nil {
		old.since.Store(c.table.Now())
	}
	retired = old.Word().with(Retired)
	c.prune()
	c.retired = append(c.retired, hold{old, retired})
	old.word.Store(uint64(retired))
	return old, retired
}

// scan is the retirer's look, after its store of Retired.
func (s *Slot) scan(w Word) {
	if !s.fixed {
		s.reclaim(w)
	}
}

// prune forgets what has been reclaimed. The caller holds c.mu.
func (c *Cell) prune() {
	c.retired = slices.DeleteFunc(c.retired, func(h hold) bool { return h.slot.Word() != h.word })
}

// Pending is the slots of a cell that were retired and not reclaimed at one
// moment.
type Pending []hold

// Pending returns those of now.
func (c *Cell) Pending() Pending {
	c.Check()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.prune()
	return Pending(slices.Clone(c.retired))
}

// Left returns how many of p have not been reclaimed since.
func (p Pending) Left() (n int) {
	for _, h := range p {
		if h.slot.Word() == h.word {
			n++
		}
	}
	return n
}
