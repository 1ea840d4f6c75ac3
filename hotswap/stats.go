package hotswap

import (
	"iter"
	"time"

	"github.com/poolproof/poolproof/internal/registry"
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

// named are the pools that have a name.
var named registry.List[Stats]

// All yields the statistics of each pool of the process that has a name and is
// still in use, of any T, in the order in which they were made.
func All() iter.Seq[Stats] { return named.All }
