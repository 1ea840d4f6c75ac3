package poolthreshold

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"testing"
)

const (
	defaultSize = 1 << 10 // where SIZE is not set

	most     = 1 << 14 // uses of an operation, hot
	mostRare = 1 << 8  // and rare: each has a pool of its own
	moved    = 4 << 20 // bytes that an operation writes, if these are fewer uses
)

// size returns the size that the environment asks for. It is not a part of the
// benchmarks' names, because a study's report has one table a benchmark: the
// sizes stand below each other in it, as cells.
func size(b *testing.B) Size {
	text := os.Getenv("SIZE")
	if text == "" {
		return defaultSize
	}
	s, err := ParseSize(text)
	if err != nil {
		b.Fatalf("the environment variable SIZE: %v", err)
	}
	return s
}

// arms are the ways to get a block, by the names in the benchmarks.
var arms = []struct {
	name   string
	create func(size Size) Arm
}{
	{"make", func(s Size) Arm { return NewMake(s, false) }},
	{"syncpool", func(s Size) Arm { return NewSyncPool(s) }},
	{"pool", func(s Size) Arm { return NewPool(s) }},
}

// stackArms are those of a block that does not leave its function.
var stackArms = append([]struct {
	name   string
	create func(size Size) Arm
}{{"make", func(s Size) Arm { return NewMake(s, true) }}}, arms[1:]...)

// team is a number of goroutines as benchmarks name it.
type team struct {
	name string
	size func() int
}

var teams = []team{
	{"1", func() int { return 1 }},
	{"all", func() int { return runtime.GOMAXPROCS(0) }},
}

// work is an operation that goroutines do together: the same uses for any
// number of goroutines.
type work struct {
	goroutines int
	do         func(i int) (sum uint64) // the share of goroutine i
	sums       []uint64                 // what each do returned
	want       uint64                   // all of them
}

// share is called by each goroutine of a crew.
func (w *work) share(i int) { w.sums[i] = w.do(i) }

// check returns what is wrong with the sums of the last operation.
func (w *work) check() error {
	sum := uint64(0)
	for _, s := range w.sums {
		sum += s
	}
	if sum != w.want {
		return fmt.Errorf("sum of what the uses read is %d, want %d", sum, w.want)
	}
	return nil
}

// sumOf returns what one use of a block of that size must read.
func sumOf(s Size) uint64 { return use(make([]byte, s), source()) }

// hot is an operation that uses the arm's blocks again and again.
func hot(arm Arm, s Size, goroutines int) *work {
	uses := min(most, moved/int(s))
	return &work{
		goroutines: goroutines,
		do: func(i int) uint64 {
			return arm.Uses(uses*(i+1)/goroutines - uses*i/goroutines)
		},
		sums: make([]uint64, goroutines),
		want: uint64(uses) * sumOf(s),
	}
}

// rare is an operation that uses each of the arms once.
func rare(arms []Arm, s Size, goroutines int) *work {
	return &work{
		goroutines: goroutines,
		do: func(i int) (sum uint64) {
			for _, arm := range arms[len(arms)*i/goroutines : len(arms)*(i+1)/goroutines] {
				sum += arm.Uses(1)
			}
			return sum
		},
		sums: make([]uint64, goroutines),
		want: uint64(len(arms)) * sumOf(s),
	}
}

// rareArms returns the arms of an operation of rare uses.
func rareArms(create func(Size) Arm, s Size) []Arm {
	all := make([]Arm, min(mostRare, moved/int(s)))
	for i := range all {
		all[i] = create(s)
	}
	return all
}

// operations are those of the benchmarks that have run. A benchmark's function
// is called for each of many short measurements, and a pool must be warm then.
var operations = map[string]*work{}

// operation returns what build returned when this benchmark ran first.
func operation(b *testing.B, build func(s Size) *work) *work {
	key := fmt.Sprint(b.Name(), " ", runtime.GOMAXPROCS(0))
	if operations[key] == nil {
		operations[key] = build(size(b))
	}
	return operations[key]
}

// node is a piece of the live heap: 64 bytes with a pointer.
type node struct {
	next *node
	_    [56]byte
}

// liveHeap is 32 MiB of objects that point to each other, kept from its first
// call to the end of the process: what a collection has to mark in a program
// that holds something.
var liveHeap = sync.OnceValue(func() *node {
	var head *node
	for range 32 << 20 / 64 {
		head = &node{next: head}
	}
	return head
})
