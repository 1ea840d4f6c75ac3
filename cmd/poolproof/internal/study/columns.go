package study

import (
	"fmt"
	"math"
)

// Manifold is how many times the operations of a burst those of Columns.Manifold
// have.
const Manifold = 32

// Columns holds the bursts of one side, one element a burst, in the order of
// the pairs. Times are in nanoseconds for the whole burst (N operations). A
// column that the engine cannot fill is empty; [Columns.Append] knows them all.
type Columns struct {
	Wall   []int64  `json:"wall"`                 // inside the benchmark's timer window
	CPU    []int64  `json:"cpu,omitempty"`        // of all threads, inside the window
	Drain  []int64  `json:"drain,omitempty"`      // CPU from the window's end until no collection was marking
	DrainW []int64  `json:"drain_wall,omitempty"` // the wall time of that wait
	Allocs []uint64 `json:"allocs"`               // heap objects allocated inside the window
	Bytes  []uint64 `json:"bytes"`                // heap bytes allocated inside the window
	GCs    []uint32 `json:"gcs,omitempty"`        // collections finished in burst and drain
	GCCPU  []int64  `json:"gc_cpu,omitempty"`     // CPU charged to the collector, burst and drain
	Pause  []int64  `json:"pause,omitempty"`      // stop-the-world time, burst and drain
	// Manifold holds the wall time of the few bursts of [Manifold] times as many
	// operations that end the first launch of a comparison.
	Manifold []int64  `json:"manifold,omitempty"`
	Heap     []uint64 `json:"heap,omitempty"` // HeapInuse after the burst, bytes
	// Of paced bursts alone:
	Late       []int64  `json:"late,omitempty"`           // by how much operations started late, nanoseconds, summed up
	Price      []int64  `json:"gc_price,omitempty"`       // CPU time of a collection that was forced after the window
	PricePause []int64  `json:"gc_price_pause,omitempty"` // stop-the-world time of that collection
	Room       []uint64 `json:"gc_room,omitempty"`        // bytes from one collection to the next by the collector's goal, at the window's end
	// Extra holds the mean over bursts of what the benchmark gave to
	// b.ReportMetric, by unit.
	Extra map[string]float64 `json:"extra,omitempty"`
}

// Burst holds the measurements of one side in one burst: an element of each column of
// [Columns].
type Burst struct {
	Seen          Seen // which of the fields are filled
	Wall, CPU     int64
	Drain, DrainW int64
	Allocs, Bytes uint64
	GCs           uint32
	GCCPU, Pause  int64
	Heap          uint64
	Late, Price   int64
	PricePause    int64
	Room          uint64
	Extra         map[string]float64
}

// Seen says how much of a burst was seen. Each value includes those before it.
type Seen int

const (
	SeenPrinted Seen = iota // what testing prints: wall time, allocations and bytes
	SeenInside              // by instruments inside of the process: all but what a rate adds
	SeenPaced               // at a fixed rate
)

// column is one of Columns.
type column struct {
	name   string
	from   Seen // a burst of which less was seen has no element for it
	len    func(*Columns) int
	append func(*Columns, *Burst)
}

// columns lists them all. A further column is a line here, a field of Columns
// and one of Burst.
var columns = []column{
	of("wall", SeenPrinted, func(c *Columns) *[]int64 { return &c.Wall }, func(b *Burst) int64 { return b.Wall }),
	of("allocs", SeenPrinted, func(c *Columns) *[]uint64 { return &c.Allocs }, func(b *Burst) uint64 { return b.Allocs }),
	of("bytes", SeenPrinted, func(c *Columns) *[]uint64 { return &c.Bytes }, func(b *Burst) uint64 { return b.Bytes }),
	of("cpu", SeenInside, func(c *Columns) *[]int64 { return &c.CPU }, func(b *Burst) int64 { return b.CPU }),
	of("drain", SeenInside, func(c *Columns) *[]int64 { return &c.Drain }, func(b *Burst) int64 { return b.Drain }),
	of("drain_wall", SeenInside, func(c *Columns) *[]int64 { return &c.DrainW }, func(b *Burst) int64 { return b.DrainW }),
	of("gcs", SeenInside, func(c *Columns) *[]uint32 { return &c.GCs }, func(b *Burst) uint32 { return b.GCs }),
	of("gc_cpu", SeenInside, func(c *Columns) *[]int64 { return &c.GCCPU }, func(b *Burst) int64 { return b.GCCPU }),
	of("pause", SeenInside, func(c *Columns) *[]int64 { return &c.Pause }, func(b *Burst) int64 { return b.Pause }),
	of("heap", SeenInside, func(c *Columns) *[]uint64 { return &c.Heap }, func(b *Burst) uint64 { return b.Heap }),
	of("late", SeenPaced, func(c *Columns) *[]int64 { return &c.Late }, func(b *Burst) int64 { return b.Late }),
	of("gc_price", SeenPaced, func(c *Columns) *[]int64 { return &c.Price }, func(b *Burst) int64 { return b.Price }),
	of("gc_price_pause", SeenPaced, func(c *Columns) *[]int64 { return &c.PricePause }, func(b *Burst) int64 { return b.PricePause }),
	of("gc_room", SeenPaced, func(c *Columns) *[]uint64 { return &c.Room }, func(b *Burst) uint64 { return b.Room }),
}

// of makes a column of its field in Columns and its value in a burst.
func of[T any](name string, from Seen, field func(*Columns) *[]T, value func(*Burst) T) column {
	return column{
		name: name, from: from,
		len:    func(c *Columns) int { return len(*field(c)) },
		append: func(c *Columns, b *Burst) { list := field(c); *list = append(*list, value(b)) },
	}
}

// Len is the number of bursts.
func (c *Columns) Len() int { return len(c.Wall) }

// Append adds a burst. Extra holds sums until [Columns.Close].
func (c *Columns) Append(b Burst) {
	for _, col := range columns {
		if b.Seen >= col.from {
			col.append(c, &b)
		}
	}
	for unit, v := range b.Extra {
		if c.Extra == nil {
			c.Extra = map[string]float64{}
		}
		c.Extra[unit] += v
	}
}

// Close turns the sums of Extra into means when all bursts are there. What is
// not finite is left out: a benchmark may divide by zero, and a record cannot
// hold it.
func (c *Columns) Close() {
	for unit, sum := range c.Extra {
		if math.IsNaN(sum) || math.IsInf(sum, 0) {
			delete(c.Extra, unit)
			continue
		}
		c.Extra[unit] = sum / float64(c.Len())
	}
}

// Check returns an error unless each column holds n bursts. Only those that
// testing does not print may be empty.
func (c *Columns) Check(n int) error {
	for _, col := range columns {
		if got := col.len(c); got != n && (got != 0 || col.from == SeenPrinted) {
			return fmt.Errorf("the column %s has %d bursts, not %d", col.name, got, n)
		}
	}
	return nil
}
