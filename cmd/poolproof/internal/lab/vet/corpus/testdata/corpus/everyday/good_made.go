package everyday

import (
	"bytes"
	"sync"
)

// Pools that a function makes, one a size.
func newClasses(n int) []sync.Pool {
	pools := make([]sync.Pool, n)
	for i := range pools {
		size := 64 << i
		pools[i].New = func() any { b := make([]byte, size); return &b }
	}
	return pools
}

type classes struct {
	pools []sync.Pool
}

func (c *classes) get(i int) []byte {
	return *c.pools[i].Get().(*[]byte) // fine "PV018" newClasses sets New
}

func makeClasses() *classes { return &classes{pools: newClasses(4)} }

func newPointers(n int) []*sync.Pool {
	var pools []*sync.Pool
	for range n {
		p := new(sync.Pool)
		p.New = func() any { return new(bytes.Buffer) }
		pools = append(pools, p)
	}
	return pools
}

var pointers = newPointers(3)

func fromPointers(i int) *bytes.Buffer {
	return pointers[i].Get().(*bytes.Buffer) // fine "PV018" newPointers sets New
}

var byFunction = newPool()

func newPool() *sync.Pool {
	p := &sync.Pool{}
	p.New = func() any { return new(bytes.Buffer) }
	return p
}

func fromFunction() *bytes.Buffer {
	return byFunction.Get().(*bytes.Buffer) // fine "PV018" newPool sets New
}

var table [8]sync.Pool

func init() {
	for i := range table {
		p := &table[i]
		p.New = func() any { return new(bytes.Buffer) }
	}
}

func fromTable(i int) *bytes.Buffer {
	return table[i].Get().(*bytes.Buffer) // fine "PV018" init sets New
}

// Get is called where the pools are made, too.
func warm(n int) []sync.Pool {
	pools := make([]sync.Pool, n)
	for i := range pools {
		pools[i].New = func() any { return new(bytes.Buffer) }
		b := pools[i].Get().(*bytes.Buffer) // fine "PV018" New is set above
		pools[i].Put(b)
	}
	return pools
}

type shard struct{ pool sync.Pool }

func newShards(n int) []*shard {
	list := make([]*shard, n)
	for i := range list {
		s := &shard{}
		s.pool.New = func() any { return new(bytes.Buffer) }
		list[i] = s
	}
	return list
}

func (s *shard) get() *bytes.Buffer {
	return s.pool.Get().(*bytes.Buffer) // fine "PV018" newShards sets New
}

// A list of pools that is filled by append.
type sized struct{ pools []sync.Pool }

func (s *sized) add(size int) {
	s.pools = append(s.pools, sync.Pool{New: func() any { b := make([]byte, size); return &b }})
}

func (s *sized) get(i int) *[]byte {
	return s.pools[i].Get().(*[]byte) // fine "PV018" add gives each a New
}

type keyed struct{ pools map[string]*sync.Pool }

func (k *keyed) register(name string, mk func() any) {
	k.pools[name] = &sync.Pool{New: mk}
}

func (k *keyed) get(name string) *bytes.Buffer {
	return k.pools[name].Get().(*bytes.Buffer) // fine "PV018" register gives each a New
}

func localList(n int) func(int) *bytes.Buffer {
	list := make([]sync.Pool, n)
	setNew(list)
	return func(i int) *bytes.Buffer {
		return list[i].Get().(*bytes.Buffer) // fine "PV018" setNew sets New
	}
}

func setNew(list []sync.Pool) {
	for i := range list {
		list[i].New = func() any { return new(bytes.Buffer) }
	}
}

func ranged() *bytes.Buffer {
	for _, p := range pointers {
		if b, ok := p.Get().(*bytes.Buffer); ok {
			return b
		}
	}
	return pointers[0].Get().(*bytes.Buffer) // fine "PV018" newPointers sets New
}

var several = []*sync.Pool{newPool(), newPool()}

func fromSeveral(i int) *bytes.Buffer {
	return several[i].Get().(*bytes.Buffer) // fine "PV018" newPool sets New
}

var named = map[string]*sync.Pool{"page": newPool(), "feed": newPool()}

func fromNamed(name string) *bytes.Buffer {
	return named[name].Get().(*bytes.Buffer) // fine "PV018" newPool sets New
}

type twin struct{ pools [2]*sync.Pool }

func newTwin() *twin { return &twin{pools: [2]*sync.Pool{newPool(), newPool()}} }

func (p *twin) get(i int) *bytes.Buffer {
	return p.pools[i].Get().(*bytes.Buffer) // fine "PV018" newPool sets New
}

// The pool of a call is one that lives longer, or a new one where there is none.
func poolFor(i int) *sync.Pool {
	if i < len(several) {
		return several[i]
	}
	return newPool()
}

func fromPoolFor(i int, f func(*bytes.Buffer)) {
	p := poolFor(i)
	b := p.Get().(*bytes.Buffer) // fine "PV010|PV018" most pools live longer
	f(b)
	p.Put(b)
}
