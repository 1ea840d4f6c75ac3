package hotswap

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
)

const (
	entries = 100_000 // of a Table, as published
	few     = 100     // of a Table of the reuse benchmark, which is about its number

	writers = 2       // goroutines of the mixed benchmark
	reads   = 1 << 15 // of an operation of the read benchmark, over all goroutines
	hotKeys = 64      // that the read benchmark asks for: they stay in the processor's cache
)

// arm is one way of replacing a Table. Its containers are built once in a
// process: filling a Table takes longer than a slice of a measurement.
type arm struct {
	name         string
	create       func(fill func(*Table)) Container
	large, small func() Container // filled with largeData, smallData
}

func newArm[C Container](name string, create func(fill func(*Table)) C) arm {
	container := func(data func() *Data) func() Container {
		return sync.OnceValue(func() Container { return create(data().Fill(0)) })
	}
	return arm{
		name:   name,
		create: func(fill func(*Table)) Container { return create(fill) },
		large:  container(largeData),
		small:  container(smallData),
	}
}

var (
	arms = []arm{
		newArm("counted", NewCounted),
		newArm("atomic", NewAtomic),
		newArm("rwmutex", NewRWMutex),
		newArm("inplace", NewInPlace),
		newArm("hotswap", NewSwapped),
	}
	largeData = sync.OnceValue(func() *Data { return NewData(entries) })
	smallData = sync.OnceValue(func() *Data { return NewData(few) })
)

// shuffled returns the keys that every version of d has, always in the same
// order without a pattern.
func shuffled(d *Data) []string {
	keys := slices.Clone(d.Common())
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	return keys
}

// sumOf returns what Lookup must return for keys that every version of d has.
func sumOf(d *Data, keys []string) (sum int) {
	t := &Table{}
	d.Fill(0)(t)
	for _, key := range keys {
		sum += weight(t.Find(key))
	}
	return sum
}

// work is an operation that goroutines do together.
type work struct {
	goroutines int
	do         func(i int) (sum int) // the share of goroutine i
	sums       []int                 // what each do returned
	want       int                   // all of them
}

// share is called by each goroutine of a crew.
func (w *work) share(i int) { w.sums[i] = w.do(i) }

// check returns what is wrong with the sums of the last operation.
func (w *work) check() error {
	sum := 0
	for _, s := range w.sums {
		sum += s
	}
	if sum != w.want {
		return fmt.Errorf("sum of the values read is %d, want %d", sum, w.want)
	}
	return nil
}

// mixed is an operation in which that many of a hundred steps are writes, the
// others reads. Each writer does one write with its share of the reads around
// it, so the mix is the same in every operation and the writes of all writers
// fall together, as they did where this was published.
func mixed(c Container, writes int) *work {
	d := largeData()
	n := 100/writes - 1 // reads for a write
	keys := shuffled(d)[:writers*n]
	w := &work{goroutines: writers, sums: make([]int, writers), want: sumOf(d, keys)}
	fills := [2]func(*Table){d.Fill(1), d.Fill(0)}
	turns := make([]int, writers)
	w.do = func(i int) (sum int) {
		own := keys[i*n : (i+1)*n]
		sum = c.Lookup(own[:n/2])
		c.Replace(fills[turns[i]&1])
		turns[i]++
		return sum + c.Lookup(own[n/2:])
	}
	return w
}

// readOnly is an operation of nothing but reads.
func readOnly(c Container, goroutines int) *work {
	d := largeData()
	hot := shuffled(d)[:hotKeys]
	rounds := reads / hotKeys / goroutines
	w := &work{goroutines: goroutines, sums: make([]int, goroutines), want: rounds * goroutines * sumOf(d, hot)}
	w.do = func(int) (sum int) {
		for range rounds {
			sum += c.Lookup(hot)
		}
		return sum
	}
	return w
}

// reuse is an operation of one write that follows on that many collections.
func reuse(c Container, collections int) *work {
	d := smallData()
	keys := shuffled(d)[:hotKeys]
	w := &work{goroutines: 1, sums: make([]int, 1), want: sumOf(d, keys)}
	fills := [2]func(*Table){d.Fill(1), d.Fill(0)}
	turn := 0
	w.do = func(int) int {
		for range collections {
			runtime.GC()
		}
		c.Replace(fills[turn&1])
		turn++
		return c.Lookup(keys)
	}
	return w
}
