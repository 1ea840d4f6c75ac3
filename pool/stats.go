package pool

import (
	"fmt"
	"iter"
	"sync/atomic"

	"github.com/poolproof/poolproof/internal/registry"
)

// StatsLevel is how much a pool counts. Each level counts what the lower ones
// do.
type StatsLevel uint8

const (
	// Misses counts what happens on slow paths only: objects made, objects
	// dropped, and the reserve. It is the zero value and free.
	Misses StatsLevel = iota

	// Uses counts each Get and each Put. Each Get then first finds an empty
	// sync.Pool, which looks at the shelf of every processor, so the cost grows
	// with GOMAXPROCS. The package's benchmarks print it.
	Uses

	// Leaks knows which objects are out, and counts those that were collected
	// while they were: lost by an owner that forgot to put them. It refuses the
	// second Put of an object that waits in the pool. Each Get and Put looks up
	// the object in a table under a mutex, and a miss makes a few allocations
	// more. Small objects without pointers (up to 16 bytes) share blocks of
	// memory and may never be seen as lost; of an object without size nothing
	// is known, as at the level Uses.
	Leaks
)

// String returns the name of the level.
func (l StatsLevel) String() string {
	switch l {
	case Misses:
		return "Misses"
	case Uses:
		return "Uses"
	case Leaks:
		return "Leaks"
	}
	return fmt.Sprintf("StatsLevel(%d)", uint8(l))
}

// Stats holds the counts of a pool since it was made. While the pool is in use
// the numbers are each exact, but read one after the other. A number that is not
// counted is 0: Level says what is. In the checked build nothing is used again, so
// each Get is a miss.
type Stats struct {
	Name  string     // Options.Name
	Level StatsLevel // Options.Stats, but at most Uses for objects without size

	Gets uint64 // from the level Uses on
	Puts uint64 // of anything but nil; from the level Uses on

	// Misses is the number of objects made by Options.New, for Gets that found
	// neither an object in the pool nor one in reserve.
	Misses uint64
	// FromReserve is the number of Gets that found an object in reserve only.
	FromReserve uint64

	Dropped Drops

	// Foreign is the number of objects put that did not come from this pool,
	// which is allowed. At the level Leaks.
	Foreign uint64
	// Lost is the number of objects that were collected while they were out.
	// Collections find them, so it comes late. At the level Leaks.
	Lost uint64
	// InUse is the number of objects that are out now, lost ones excepted. At
	// the level Leaks.
	InUse int64

	Reserved      int64 // objects in reserve now
	ReservedBytes int64 // the sum of their sizes, if the pool has Options.Size
	// Decayed is the number of objects that were dropped from the reserve
	// because no Get took them for 8 collections.
	Decayed uint64
}

// Drops is the number of objects that were put and not kept, by reason.
type Drops struct {
	Keep      uint64 // Options.Keep said no
	MaxSize   uint64 // greater than Options.MaxSize
	Underused uint64 // Options.DropUnderused: used too little, too often
	Abandoned uint64 // With's function did not return
	Twice     uint64 // waits in the pool already; at the level Leaks
}

// Total returns the number of drops for any reason.
func (d Drops) Total() uint64 {
	return d.Keep + d.MaxSize + d.Underused + d.Abandoned + d.Twice
}

// Hits returns the number of Gets that did not make an object, from the level Uses
// on, and else 0.
func (s Stats) Hits() uint64 {
	if s.Gets < s.Misses { // between the two counts of a Get, or not counted
		return 0
	}
	return s.Gets - s.Misses
}

// All yields the statistics of each pool of the process that has a name and is
// still in use, of any T, in the order in which they were made.
func All() iter.Seq[Stats] { return named.All }

// dropCounts is written by slow paths only.
type dropCounts struct {
	keep, maxSize, underused, abandoned, twice atomic.Uint64
}

// useCounts counts Gets and Puts in shards that are chosen by the object's
// address: goroutines that have different objects rarely write the same cache
// line, and an object tends to stay with one processor.
type useCounts [16]struct {
	gets, puts atomic.Uint64
	_          [112]byte
}

func (c *useCounts) shard(addr uintptr) int {
	return int(uint64(addr) * 0x9e3779b97f4a7c15 >> 60) // Fibonacci hashing
}

func (c *useCounts) get(addr uintptr) { c[c.shard(addr)].gets.Add(1) }
func (c *useCounts) put(addr uintptr) { c[c.shard(addr)].puts.Add(1) }

func (c *useCounts) sum() (gets, puts uint64) {
	for i := range c {
		gets += c[i].gets.Load()
		puts += c[i].puts.Load()
	}
	return gets, puts
}

// named are the pools that have a name.
var named registry.List[Stats]
