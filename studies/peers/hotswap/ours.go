package hotswappeers

import (
	"sync/atomic"

	"github.com/poolproof/poolproof/hotswap"
	"github.com/poolproof/poolproof/hotswap/poolswap"
)

// container is package hotswap, written and looked at in the same way whatever
// the reads are.
type container[V Words] struct {
	values  *hotswap.Pool[V]
	current *hotswap.Container[V]
}

// newContainer returns a container with so many shards, 0 for the default.
//
// Its values keep their contents, as those of the other peers do, and two free
// ones are kept: in most benchmarks there are two writers.
func newContainer[V Words](shards int) *container[V] {
	c := &container[V]{}
	c.values = hotswap.NewPool(hotswap.Options[V]{New: func() *V { return new(V) }, Keep: 2, Shards: shards})
	c.current = hotswap.New(c.values)
	c.Write(0)
	return c
}

func (c *container[V]) Release()          {}
func (c *container[V]) Made() int         { return int(c.values.Stats().News) }
func (c *container[V]) See(look func(*V)) { c.current.Do(look) }

func (c *container[V]) Write(n uint64) {
	x := c.values.Get()
	fill(x.Value(), n)
	if err := c.current.Update(&x); err != nil {
		panic(err) // x is of this pool and unused, and nothing is ever closed
	}
}

// acquire reads by Acquire and Release.
type acquire[V Words] struct{ *container[V] }

func newAcquire[V Words]() Share[V]  { return acquire[V]{newContainer[V](0)} }
func newOneShard[V Words]() Share[V] { return acquire[V]{newContainer[V](1)} }

func (a acquire[V]) Goroutine() Goroutine[V] { return a }

func (a acquire[V]) Reads(n int) (sum uint64) {
	c := a.current
	for range n {
		x := c.Acquire()
		sum += (*x.Value())[0]
		x.Release()
	}
	return sum
}

// do reads by Do.
type do[V Words] struct{ *container[V] }

func newDo[V Words]() Share[V] { return do[V]{newContainer[V](0)} }

func (d do[V]) Goroutine() Goroutine[V] { return d }

func (d do[V]) Reads(n int) (sum uint64) {
	c := d.current
	for range n {
		c.Do(func(x *V) { sum += (*x)[0] })
	}
	return sum
}

// readers reads by a Reader for each goroutine, which keeps its hold between two
// calls, as that of a worker would.
type readers[V Words] struct{ *container[V] }

func newReader[V Words]() Share[V] { return readers[V]{newContainer[V](0)} }

func (r readers[V]) Goroutine() Goroutine[V] {
	return &reader[V]{container: r.container, reader: r.current.Reader()}
}

type reader[V Words] struct {
	*container[V]
	reader hotswap.Reader[V]
}

func (r *reader[V]) Reads(n int) (sum uint64) {
	for range n {
		sum += (*r.reader.Load())[0]
	}
	return sum
}

func (r *reader[V]) Release() { r.reader.Release() }

// published is the compatible package: the interface of the published design on
// the protocol of ours.
type published[V Words] struct {
	values  *poolswap.Pool[counting[V], *counting[V]]
	current *poolswap.Container[counting[V], *counting[V]]
	made    atomic.Int64
}

type counting[V Words] struct {
	poolswap.Ref
	value V
}

func newPoolswap[V Words]() Share[V] {
	p := &published[V]{}
	p.values = poolswap.NewPool(
		func() *counting[V] { p.made.Add(1); return &counting[V]{} },
		func(*counting[V]) bool { return true })
	p.current = poolswap.NewContainer(p.values, p.values.Get())
	return p
}

func (p *published[V]) Goroutine() Goroutine[V] { return p }
func (p *published[V]) Release()                {}
func (p *published[V]) Made() int               { return int(p.made.Load()) }

func (p *published[V]) Reads(n int) (sum uint64) {
	c := p.current
	for range n {
		x := c.Acquire()
		sum += x.value[0]
		c.Release(x)
	}
	return sum
}

func (p *published[V]) Write(n uint64) {
	x := p.values.Get()
	fill(&x.value, n)
	p.current.Update(x)
}

func (p *published[V]) See(look func(*V)) {
	p.current.WithAcquire(func(x *counting[V]) { look(&x.value) })
}
