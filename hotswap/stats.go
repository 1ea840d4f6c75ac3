package hotswap

import (
	"time"

	"github.com/poolproof/poolproof/hotswap/internal/slots"
)

// Stats holds a pool's current numbers and its counts since it was made. While the pool
// is in use the numbers are read one after the other.
type Stats struct {
	Name string // Options.Name

	Slots   int // places for a value: as many as there ever were at a time
	Live    int // current values of containers
	Retired int // replaced values that have readers
	Spare   int // free values
	Drafts  int // values that writers own

	// Outstanding is the number of holds: Refs and Readers that have a value.
	Outstanding int64
	// OldestRetired is how long ago the value was replaced that has had readers
	// for the longest time since; 0 if there is none. One that grows without end
	// tells of a forgotten Release, or of a Reader that sleeps.
	OldestRetired time.Duration

	News   uint64 // values made by Options.New
	Reuses uint64 // drafts that were a used value
	Drops  uint64 // values given up
}

// Stats returns the statistics of p. It is safe for concurrent use.
func (p *Pool[T]) Stats() Stats {
	p.check()
	s := Stats{Name: p.options.Name, Outstanding: p.table.Holds()}
	now := p.table.Now()
	for slot := range p.table.All {
		s.Slots++
		switch slot.Word().State() {
		case slots.Spare:
			s.Spare++
		case slots.Owned:
			s.Drafts++
		case slots.Live:
			s.Live++
		case slots.Retired:
			s.Retired++
			s.OldestRetired = max(s.OldestRetired, time.Duration(now-slot.Since()))
		}
		s.News += slot.Made.Load()
		s.Reuses += slot.Reused.Load()
		s.Drops += slot.Dropped.Load()
	}
	return s
}
