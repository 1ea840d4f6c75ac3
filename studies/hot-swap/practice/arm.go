package practice

import (
	"sync"

	hotswap "github.com/poolproof/poolproof/studies/hot-swap"
)

// Arm is a way of sharing a Table.
type Arm struct {
	Name string // as in benchmark names
	New  func(fill func(*hotswap.Table)) hotswap.Container

	// Blocks says that readers wait for writers, so that a Read in which Replace
	// is called would wait for itself. Its tables have no last reader.
	Blocks bool
}

// Arms are all that are compared, but for changes. The first is the baseline.
var Arms = []Arm{
	newArm("counted", hotswap.NewCounted),
	newArm("hotswap", hotswap.NewSwapped),
	newArm("reader", newReaders),
	newArm("atomic", hotswap.NewAtomic),
	newArm("rwmutex", hotswap.NewRWMutex),
	{Name: "inplace", New: create(hotswap.NewInPlace), Blocks: true},
}

func newArm[C hotswap.Container](name string, f func(func(*hotswap.Table)) C) Arm {
	return Arm{Name: name, New: create(f)}
}

func create[C hotswap.Container](f func(func(*hotswap.Table)) C) func(func(*hotswap.Table)) hotswap.Container {
	return func(fill func(*hotswap.Table)) hotswap.Container { return f(fill) }
}

// Handed is a Container that has a handle for each goroutine that reads.
type Handed interface {
	// Handle returns a Lookup for one goroutine, and what gives up its hold.
	Handle() (lookup func(keys []string) int, release func())
}

// handle returns the Lookup that a goroutine should use.
func handle(c hotswap.Container) (lookup func(keys []string) int, release func()) {
	if h, ok := c.(Handed); ok {
		return h.Handle()
	}
	return c.Lookup, func() {}
}

// readers is the arm reader: each goroutine has a Reader.
type readers struct{ *hotswap.Swapped }

func newReaders(fill func(*hotswap.Table)) readers { return readers{hotswap.NewSwapped(fill)} }

// Handle implements Handed.
func (r readers) Handle() (func([]string) int, func()) {
	reader := r.Reader()
	return reader.Lookup, reader.Release
}

// Entries is the number of entries of a Table, as published.
const Entries = 100_000

var data = sync.OnceValue(func() *hotswap.Data { return hotswap.NewData(Entries) })

// fills returns a function that returns the next of two fills, which take turns.
func fills(d *hotswap.Data) func() func(*hotswap.Table) {
	both := [2]func(*hotswap.Table){d.Fill(1), d.Fill(0)}
	turn := 0
	return func() func(*hotswap.Table) {
		turn++
		return both[turn&1]
	}
}

// hot returns so many keys that every version of d has, far from each other.
func hot(d *hotswap.Data, n int) (keys []string) {
	all := d.Common()
	for i := range n {
		keys = append(keys, all[i*len(all)/n])
	}
	return keys
}
